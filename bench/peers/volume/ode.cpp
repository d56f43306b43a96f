// Runs a scene of bench/peers/volume/scenes.py in ODE (Open Dynamics Engine, from Debian: libode-dev) and prints samples and times as JSON.
//
// The scene comes on standard input, a line for each thing (outside.py writes it):
//
//   world GRAVITY FRICTION DT SECONDS SAMPLE         friction is ODE's one coefficient
//   solver exact|quick ITERATIONS ERP CFM            a negative ERP or CFM leaves ODE's default
//   contact STIFFNESS DAMPING                        optional: contacts as springs and dampers, by ODE's ERP and CFM of each contact point
//   body box|capsule A B C MASS X Y Z QW QX QY QZ SX SY SZ     half edges, or radius, half length and 0; the axis along which it slides, or zeros
//   load BODY FX FY FZ FROM
//   pull BODY STIFFNESS DAMPING SPEED
//   watch BODY
//
// "exact" is dWorldStep (a direct solution), "quick" is dWorldQuickStep. A step is collision detection, the step and forgetting the contacts.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include <ode/ode.h>

namespace {

constexpr int MOST_CONTACTS = 8; // of a pair, all that ODE's box-box test finds

struct Given {
    dBodyID body = nullptr; // null: it never moves
    dGeomID geom = nullptr;
    double position[3], quaternion[4];
};

struct Load {
    int body;
    double force[3], from;
};

struct Simulated {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    double friction = 0, dt = 0, stiffness = 0, damping = 0;
    bool quick = false;
};

void near(void* data, dGeomID a, dGeomID b) {
    auto& s = *static_cast<Simulated*>(data);
    const dBodyID one = dGeomGetBody(a), two = dGeomGetBody(b);
    if (!one && !two) return;
    dContact contact[MOST_CONTACTS];
    const int count = dCollide(a, b, MOST_CONTACTS, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < count; i++) {
        contact[i].surface = {};
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = s.friction;
        if (s.stiffness > 0) {
            // The pair's spring and damper, shared by its points: ERP = dt k / (dt k + b), CFM = 1 / (dt k + b).
            const double k = s.stiffness / count, b = s.damping / count;
            contact[i].surface.mode |= dContactSoftERP | dContactSoftCFM;
            contact[i].surface.soft_erp = s.dt * k / (s.dt * k + b);
            contact[i].surface.soft_cfm = 1 / (s.dt * k + b);
        }
        dJointAttach(dJointCreateContact(s.world, s.contacts, &contact[i]), one, two);
    }
}

double processor_time() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e6 * double(t.tv_sec) + 1e-3 * double(t.tv_nsec);
}

} // namespace

int main() {
    dInitODE2(0);
    Simulated s;
    s.world = dWorldCreate();
    s.space = dHashSpaceCreate(nullptr);
    s.contacts = dJointGroupCreate(0);
    double gravity = 0, seconds = 0, sample = 0;
    std::vector<Given> bodies;
    std::vector<Load> loads;
    std::vector<int> watched;
    int pulled = -1;
    double pull[3] = {};

    for (std::string what; std::cin >> what;) {
        if (what == "world") {
            std::cin >> gravity >> s.friction >> s.dt >> seconds >> sample;
            dWorldSetGravity(s.world, 0, 0, -gravity);
        } else if (what == "solver") {
            std::string name;
            int iterations;
            double erp, cfm;
            std::cin >> name >> iterations >> erp >> cfm;
            s.quick = name == "quick";
            dWorldSetQuickStepNumIterations(s.world, iterations);
            if (erp >= 0) dWorldSetERP(s.world, erp);
            if (cfm >= 0) dWorldSetCFM(s.world, cfm);
        } else if (what == "contact") {
            std::cin >> s.stiffness >> s.damping;
        } else if (what == "body") {
            std::string shape;
            double a, b, c, mass, slides[3];
            Given given;
            double *p = given.position, *q = given.quaternion;
            std::cin >> shape >> a >> b >> c >> mass >> p[0] >> p[1] >> p[2] >> q[0] >> q[1] >> q[2] >> q[3];
            std::cin >> slides[0] >> slides[1] >> slides[2];
            const bool box = shape == "box";
            given.geom = box ? dCreateBox(s.space, 2 * a, 2 * b, 2 * c) : dCreateCapsule(s.space, a, 2 * b);
            if (mass > 0) {
                given.body = dBodyCreate(s.world);
                dMass m;
                if (box) dMassSetBoxTotal(&m, mass, 2 * a, 2 * b, 2 * c);
                else dMassSetCapsuleTotal(&m, mass, 3, a, 2 * b);
                dBodySetMass(given.body, &m);
                dGeomSetBody(given.geom, given.body);
                dBodySetPosition(given.body, p[0], p[1], p[2]);
                dBodySetQuaternion(given.body, q);
                if (slides[0] != 0 || slides[1] != 0 || slides[2] != 0) {
                    dBodySetGravityMode(given.body, 0);
                    const dJointID joint = dJointCreateSlider(s.world, nullptr);
                    dJointAttach(joint, given.body, nullptr);
                    dJointSetSliderAxis(joint, slides[0], slides[1], slides[2]);
                }
            } else {
                dGeomSetPosition(given.geom, p[0], p[1], p[2]);
                dGeomSetQuaternion(given.geom, q);
            }
            bodies.push_back(given);
        } else if (what == "load") {
            Load load;
            std::cin >> load.body >> load.force[0] >> load.force[1] >> load.force[2] >> load.from;
            loads.push_back(load);
        } else if (what == "pull") {
            std::cin >> pulled >> pull[0] >> pull[1] >> pull[2];
        } else if (what == "watch") {
            int body;
            std::cin >> body;
            watched.push_back(body);
        } else {
            std::cerr << "ode: unknown word " << what << "\n";
            return 1;
        }
    }

    const int steps = int(std::lround(seconds / s.dt)), every = std::max(1, int(std::lround(sample / s.dt)));
    std::vector<double> times;
    bool first = true;
    std::printf("{\"version\": \"%s\", \"samples\": [", ODE_VERSION);
    for (int step = 0; step < steps; step++) {
        const double t = step * s.dt;
        for (const Load& load : loads)
            if (t >= load.from - 1e-9) dBodyAddForce(bodies[load.body].body, load.force[0], load.force[1], load.force[2]);
        if (pulled >= 0) {
            const Given& given = bodies[pulled];
            const double stretch = pull[2] * t - (dBodyGetPosition(given.body)[0] - given.position[0]);
            const double force = pull[0] * stretch + pull[1] * (pull[2] - dBodyGetLinearVel(given.body)[0]);
            dBodyAddForce(given.body, force, 0, 0);
        }
        const double begin = processor_time();
        dSpaceCollide(s.space, &s, near);
        if (s.quick) dWorldQuickStep(s.world, s.dt);
        else dWorldStep(s.world, s.dt);
        dJointGroupEmpty(s.contacts);
        times.push_back(processor_time() - begin);
        if ((step + 1) % every != 0) continue;
        std::printf("%s{\"t\": %.17g, \"bodies\": [", first ? "" : ", ", (step + 1) * s.dt);
        first = false;
        for (size_t i = 0; i < watched.size(); i++) {
            const dBodyID body = bodies[watched[i]].body;
            const double* parts[] = {
                dBodyGetPosition(body), dBodyGetQuaternion(body), dBodyGetLinearVel(body), dBodyGetAngularVel(body)};
            std::printf("%s[", i ? ", " : "");
            for (int part = 0; part < 4; part++)
                for (int k = 0; k < (part == 1 ? 4 : 3); k++) {
                    const double x = parts[part][k];
                    const char* comma = part || k ? ", " : "";
                    if (std::isfinite(x)) std::printf("%s%.17g", comma, x);
                    else std::printf("%sNaN", comma); // which Python reads
                }
            std::printf("]");
        }
        std::printf("]}");
    }
    double sum = 0;
    for (const double time : times) sum += time;
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    std::printf("], \"mean_us\": %.17g, \"median_us\": %.17g}\n", sum / double(times.size()), times[times.size() / 2]);
    return 0;
}
