//! The paper's friction methods beside constraint-based ones on the same contacts: a stream of problems of the paper's own scene, and what each method takes for them.
//!
//! A tick of the paper's engine gives one problem in two forms: as it was solved, with penalty forces given; and for unilateral contacts, with the same points and normals, gaps of zero, the coupling's compliance C and the free motion C f to the hand,
//!
//! ```text
//! W = J C Jᵀ,   q = J C f_vc
//! ```
//!
//! Both describe the same part at the same place under the same pull. Neither W nor q knows the penalty forces.

use crate::clock::timed;
use crate::figure::{Context, FigureError};
use crate::lab::{self, FigureScene};
use crate::stats::{median, quantile};
use stiction::contact::ContactProblem;
use stiction::delassus::{
    ConeError, ConeProblem, ConeVerdict, Delassus, DenseOperator, GaussSeidel, GaussSeidelSettings, LocalRule,
    RigidOperator, SolveLimits, Staggered, StaggeredSettings, UnilateralContact,
};
use stiction::friction::{Cone, FrictionSettings, FrictionSolver, Method, Metric, Verdict};
use stiction::spatial::{Mat6, Pose, Vec3, Vec6};

/// The edge of the cube (m).
pub const EDGE: f64 = 0.0376;
/// How far the hand presses into either wall (m).
const PRESS: f64 = 0.005;
/// µ.
pub const MU: f64 = 1.0;
/// Speed of the hand while the cube slides (m/s).
const SPEED: f64 = 0.1;
/// How far the hand is ahead when sliding begins (m): beyond what friction holds.
const AHEAD: f64 = 0.012;
/// Passes of a rival in a solve.
const PASSES: u32 = 20_000;

/// A tick of the paper's engine as a problem for both kinds of methods.
#[derive(Clone, Debug)]
pub struct RivalTick {
    /// With penalty forces given.
    pub problem: ContactProblem,
    /// For unilateral contacts, with W as a product.
    pub product: ConeProblem<RigidOperator>,
    /// The same with W as a matrix.
    pub matrix: ConeProblem<DenseOperator>,
    /// The cube slid in this tick.
    pub slides: bool,
    /// What is left of the balance of forces in the paper's own answer.
    pub residual: f64,
}

/// The cube in the paper's corner.
pub fn scene(ctx: &Context) -> Result<FigureScene, FigureError> {
    Ok(FigureScene {
        settings: lab::paper(MU, 0.6),
        parts: lab::corner(ctx, EDGE)?,
        world_from_fixed: Pose::identity(),
    })
}

/// The problems of a script: so many ticks at rest, in which the hand moves to and fro below the limit, and so many in which the cube slides along the edge.
pub fn stream(ctx: &Context, ticks: usize) -> Result<Vec<RivalTick>, FigureError> {
    let scene = scene(ctx)?;
    // The quadratic program lets contacts slide as Coulomb's law says; the linear one drops friction altogether where it does not suffice, so that the cube would jump and stick in turn.
    let scene = scene.with(lab::with_method(&scene.settings, Method::Qp(Metric::Stiffness)));
    let (mut engine, hand) = lab::pressed(&scene, EDGE, -0.05, PRESS)?;
    let mut out = Vec::new();
    for tick in 0..2 * ticks {
        if tick % 64 == 0 {
            ctx.go_on()?;
        }
        let along = match tick < ticks {
            true => 1e-3 * (std::f64::consts::TAU * tick as f64 / 100.0).sin(),
            false => AHEAD + SPEED * 1e-3 * (tick - ticks) as f64,
        };
        let t = *engine.tick(&lab::moved(&hand, Vec3::z() * along), &Vec6::zeros());
        let (rests, slides) = (t.verdict == Verdict::Holds, t.verdict == Verdict::Slips);
        if t.substeps > 1 || !(if tick < ticks { rests } else { slides }) {
            continue;
        }
        // Without the penalty forces, what is left is the coupling.
        let pull = engine.problem().load().wrench - t.normal;
        let pose = |e: ConeError| FigureError::Setup(format!("a tick of the corner is no problem: {e}"));
        let (product, matrix) = unilateral(engine.problem(), &pull, &scene.settings.coupling).map_err(pose)?;
        out.push(RivalTick { problem: engine.problem().clone(), product, matrix, slides, residual: t.residual });
    }
    Ok(out)
}

/// The contacts of a problem as unilateral ones under a pull.
fn unilateral(
    problem: &ContactProblem,
    pull: &Vec6,
    coupling: &stiction::coupling::Coupling,
) -> Result<(ConeProblem<RigidOperator>, ConeProblem<DenseOperator>), ConeError> {
    let (k, t) = (coupling.stiffness, coupling.torsion);
    let stiffness = Mat6::from_diagonal(&Vec6::new(k, k, k, t, t, t));
    let free = pull.component_div(&stiffness.diagonal());
    let contacts = problem.contacts();
    let rows: Vec<_> =
        contacts.iter().map(|c| RigidOperator::rows_at(&c.point, &[c.normal, c.tangent, c.tangent_v()])).collect();
    let listed = || {
        contacts.iter().zip(&rows).map(|(c, rows)| UnilateralContact {
            id: c.id,
            mu: c.mu_static,
            free: Vec3::from_fn(|k, _| rows[k].dot(&free)),
        })
    };
    let mut product = ConeProblem::new(RigidOperator::with_capacity(contacts.len()));
    let fill = |w: &mut RigidOperator| {
        w.begin(&stiffness)?;
        rows.iter().try_for_each(|rows| w.push(rows))
    };
    product.rebuild(fill, listed())?;
    let mut matrix = ConeProblem::new(DenseOperator::with_capacity(contacts.len()));
    matrix.rebuild(|w| w.copy_from(product.operator()), listed())?;
    Ok((product, matrix))
}

/// A method on the stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Competitor {
    /// Friction under given normal forces.
    Given(Method),
    /// Normal forces and friction.
    Unilateral {
        /// `None` for staggered projections.
        rule: Option<LocalRule>,
        /// W as a matrix; as a product otherwise.
        dense: bool,
        /// The residual.
        tolerance: f64,
    },
}

impl Competitor {
    /// Every method, W in both forms, to 1e-4 and to 1e-8.
    pub fn all() -> Vec<Competitor> {
        let given = [Method::Lp, Method::Qp(Metric::Stiffness), Method::Hold].map(Competitor::Given);
        let rules = [None, Some(LocalRule::GraphIntersection), Some(LocalRule::Exact)];
        let forms = [1e-4, 1e-8].into_iter().flat_map(|tolerance| [true, false].map(|dense| (tolerance, dense)));
        let rivals =
            forms.flat_map(|(tolerance, dense)| rules.map(|rule| Competitor::Unilateral { rule, dense, tolerance }));
        given.into_iter().chain(rivals).collect()
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Competitor::Given(Method::Lp) => "lp",
            Competitor::Given(Method::Qp(_)) => "qp",
            Competitor::Given(_) => "hold",
            Competitor::Unilateral { rule: None, .. } => "staggered",
            Competitor::Unilateral { rule: Some(LocalRule::Exact), .. } => "gauss-seidel exact",
            Competitor::Unilateral { .. } => "gauss-seidel",
        }
    }

    /// What its W is.
    pub fn operator(&self) -> &'static str {
        match self {
            Competitor::Given(_) => "–",
            Competitor::Unilateral { dense: true, .. } => "dense",
            Competitor::Unilateral { dense: false, .. } => "rank 6",
        }
    }

    /// The residual that it is asked for; 0 where it has an own certificate.
    pub fn tolerance(&self) -> f64 {
        match self {
            Competitor::Given(_) => 0.0,
            Competitor::Unilateral { tolerance, .. } => *tolerance,
        }
    }

    /// Solves a stream in its order, warm or cold: each solve.
    pub fn run(&self, ticks: &[&RivalTick], warm: bool) -> Result<Vec<TimedSolve>, FigureError> {
        let setup = |e: &dyn std::fmt::Display| FigureError::Setup(e.to_string());
        match *self {
            Competitor::Given(method) => {
                let cone = if method == Method::Lp { Cone::paper(4) } else { Cone::Disk };
                let settings = FrictionSettings {
                    method,
                    cone,
                    points_move: false,
                    warm_start: warm,
                    ..FrictionSettings::default()
                };
                let most = ticks.iter().map(|t| t.problem.len()).max().unwrap_or(0);
                let mut solver = FrictionSolver::new(settings, most).map_err(|e| setup(&e))?;
                let each = |t: &&RivalTick| {
                    if !warm {
                        solver.reset();
                    }
                    let (answer, seconds) = timed(|| solver.solve(&t.problem).map(|a| (a.step, a.stalled, a.passes)));
                    let (step, stalled, passes) = answer.map_err(|e| setup(&e))?;
                    solver.commit(&t.problem, &step).map_err(|e| setup(&e))?;
                    Ok(TimedSolve { seconds, solved: !stalled, passes })
                };
                ticks.iter().map(each).collect()
            }
            Competitor::Unilateral { rule, dense: true, tolerance } => {
                unilateral_run(ticks, |t| &t.matrix, rule, tolerance, warm).map_err(|e| setup(&e))
            }
            Competitor::Unilateral { rule, dense: false, tolerance } => {
                unilateral_run(ticks, |t| &t.product, rule, tolerance, warm).map_err(|e| setup(&e))
            }
        }
    }
}

fn unilateral_run<W: Delassus>(
    ticks: &[&RivalTick],
    pick: impl Fn(&RivalTick) -> &ConeProblem<W>,
    rule: Option<LocalRule>,
    tolerance: f64,
    warm_start: bool,
) -> Result<Vec<TimedSolve>, ConeError> {
    let Some(largest) = ticks.iter().max_by_key(|t| t.product.len()) else { return Ok(Vec::new()) };
    let (like, limits) = (pick(largest).operator(), SolveLimits { tolerance, passes: PASSES });
    match rule {
        Some(rule) => {
            let mut solver = GaussSeidel::new(GaussSeidelSettings { rule, limits, warm_start }, like)?;
            let each = |t: &&RivalTick| {
                let (found, seconds) = timed(|| solver.solve(pick(t)).map(|a| (a.verdict, a.passes)));
                let (verdict, passes) = found?;
                Ok(TimedSolve { seconds, solved: verdict == ConeVerdict::Solved, passes })
            };
            ticks.iter().map(each).collect()
        }
        None => {
            let mut solver = Staggered::new(StaggeredSettings { cone: Cone::Disk, limits, warm_start }, like)?;
            let each = |t: &&RivalTick| {
                let (found, seconds) = timed(|| solver.solve(pick(t)).map(|a| (a.verdict, a.passes)));
                let (verdict, passes) = found?;
                Ok(TimedSolve { seconds, solved: verdict == ConeVerdict::Solved, passes })
            };
            ticks.iter().map(each).collect()
        }
    }
}

/// One solve of a stream.
#[derive(Clone, Copy, Debug)]
pub struct TimedSolve {
    /// Time of the solve alone (s).
    pub seconds: f64,
    /// It was solved to what was asked.
    pub solved: bool,
    /// Passes over the contacts.
    pub passes: u32,
}

/// What a method took for a stream.
#[derive(Clone, Copy, Debug)]
pub struct RivalTimes {
    /// The method.
    pub competitor: Competitor,
    /// The cube slides; it rests otherwise.
    pub slides: bool,
    /// Solves start from the last answer.
    pub warm: bool,
    /// Median and 99th percentile (s).
    pub p50: f64,
    /// The 99th percentile (s).
    pub p99: f64,
    /// Problems, and how many were solved to what was asked.
    pub problems: usize,
    /// Of these, solved.
    pub solved: usize,
    /// Passes over the contacts, in the median.
    pub passes: f64,
}

/// Times every method on a stream, at rest and sliding, cold and warm.
pub fn measure(ctx: &Context, ticks: &[RivalTick]) -> Result<Vec<RivalTimes>, FigureError> {
    let mut out = Vec::new();
    for slides in [false, true] {
        let some: Vec<&RivalTick> = ticks.iter().filter(|t| t.slides == slides).collect();
        for warm in [false, true] {
            for competitor in Competitor::all() {
                ctx.go_on()?;
                let found = competitor.run(&some, warm)?;
                let seconds: Vec<f64> = found.iter().map(|f| f.seconds).collect();
                out.push(RivalTimes {
                    competitor,
                    slides,
                    warm,
                    p50: median(&seconds),
                    p99: quantile(&seconds, 0.99),
                    problems: found.len(),
                    solved: found.iter().filter(|f| f.solved).count(),
                    passes: median(&found.iter().map(|f| f64::from(f.passes)).collect::<Vec<_>>()),
                });
            }
        }
    }
    Ok(out)
}
