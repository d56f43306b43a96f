// All tests of the page against the real server, in a real browser: npm run e2e [-- WORD], where WORD is in the tests' names.
// STICTION names the program under test.
import "./tests/load.mjs";
import "./tests/first-minute.mjs";
import "./tests/drag.mjs";
import "./tests/hand.mjs";
import "./tests/camera.mjs";
import "./tests/touch.mjs";
import "./tests/recording.mjs";
import "./tests/switch.mjs";
import "./tests/compare.mjs";
import "./tests/time.mjs";
import "./tests/record.mjs";
import "./tests/connection.mjs";
import "./tests/roles.mjs";
import "./tests/guard.mjs";
import "./tests/scenes.mjs";
import "./tests/volume.mjs";
import "./tests/without.mjs";
import "./tests/layout.mjs";
import "./tests/port.mjs";
