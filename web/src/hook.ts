// What tests in a browser may look at.
import type { History } from "./plots/history";
import type { Board } from "./plots/board";
import { SurveySamples } from "./plots/survey";
import type { Session } from "./session";

/** Puts `window.stiction` there. */
export function testHook(session: Session, history: History, board: Board, sentence: () => string): void {
  (window as any).stiction = {
    get frames() {
      return session.frames;
    },
    get malformed() {
      return session.connection.malformed;
    },
    series: (name: string) => history.series(name),
    sentence,
    stretch: () => board.stretch(),
    /** Seconds from one row of a survey to the next, as plots show it now; NaN without one. */
    rowsEach: () => {
      const rows = history.rows(...board.stretch());
      return rows instanceof SurveySamples ? rows.survey.each : NaN;
    },
    latency: () => session.latency.stats(),
    fps: () => session.drawnRate.rate(performance.now()),
    world: () => session.world.value,
    roles: () => session.roles.value,
    connection: () => ({ ...session.link.value, page: session.page, roundTrip: session.connection.roundTrip, holding: session.holding }),
    frame: () => session.frame.value,
  };
}
