//! The claims that an answer makes, and how far each is from being true.

/// A claim that an answer makes. Its error is in [`Verification`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Claim {
    /// One answer per contact, in a cone that exists.
    Shape,
    /// Each limit is µ_s F_n or µ_k F_n, and zero at a separated contact.
    Limit,
    /// β_i ∈ P_i.
    Admissible,
    /// The total friction is Σ G_i β_i.
    FrictionSum,
    /// The slip is G_iᵀ q, zero at a separated contact.
    Slip,
    /// The power is β_i·slip.
    Power,
    /// Separated, stuck or sliding, as accumulated slip says.
    State,
    /// The verdict fits the certificate, the states and the limits.
    Verdict,
    /// The stiffness metric is positive definite, or was shifted because it is not.
    Metric,
    /// f + K q + Gβ = 0.
    Equilibrium,
    /// Gᵀλ = 0.
    Multiplier,
    /// M̃ q + Kᵀλ = 0.
    Stationarity,
    /// The rank of G.
    Rank,
    /// f + K q* lies in the range of G.
    Range,
    /// The direction separates the load from all admissible friction, strictly.
    Separation,
    /// The duality gap is small.
    Gap,
    /// The duality gap is the one claimed.
    ClaimedGap,
}

/// A claim that does not hold to the tolerance asked for.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the claim {claim:?} is off by {error:e}, more than {tolerance:e}")]
pub struct VerifyError {
    /// What was claimed.
    pub claim: Claim,
    /// Its relative error; infinite where a claim can only be true or false, or a number is not finite.
    pub error: f64,
    /// What was asked for.
    pub tolerance: f64,
}

/// How far each claim of an answer is from being true: relative errors, 0 for a claim that was not made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verification {
    /// False when the number of contacts or the cone is wrong; nothing else was looked at then.
    pub shape: bool,
    /// Largest relative distance of a limit from both µ_s F_n and µ_k F_n.
    pub limit_error: f64,
    /// Largest violation of β_i ∈ P_i relative to the limit; infinite for friction at a limit of zero.
    pub limit_excess: f64,
    /// Error of the total friction relative to Σ |G_i||β_i|.
    pub friction_sum: f64,
    /// Largest error of a slip relative to ‖Δx‖ + ‖r_i‖‖Δω‖.
    pub slip: f64,
    /// Largest error of a power relative to ‖β_i‖‖slip‖.
    pub power: f64,
    /// Largest distance of a contact from the state it is said to be in, relative to ε + ‖s_i‖ + ‖slip‖.
    pub state: f64,
    /// Verdict, certificate, states and limits go together; friction is zero where the linear program slips.
    pub verdict: bool,
    /// The stiffness metric, where used, is positive definite, or shifted for a reason.
    pub metric: bool,
    /// ‖f + K q + Gβ‖, relative.
    pub equilibrium: f64,
    /// Largest ‖G_iᵀλ‖, relative.
    pub multiplier: f64,
    /// ‖M̃ q + Kᵀλ‖, relative.
    pub stationarity: f64,
    /// Largest singular value of G that the claimed rank ignores, relative to the largest of all; infinite when a
    /// certificate rests on a singular value that is only rounding.
    pub rank: f64,
    /// Part of f + K q* outside of the range of G, relative.
    pub range: f64,
    /// Separation proved by `Unstoppable`, less a bound of all rounding, relative to the terms it is made of.
    /// Positive when the proof is good.
    pub separation: Option<f64>,
    /// Duality gap of β, recomputed, relative.
    pub gap: f64,
    /// Difference between that gap and the claimed one, relative.
    pub gap_claimed: f64,
    /// False when something was claimed that cannot be checked from outside: a shifted metric is not published.
    pub complete: bool,
}

impl Verification {
    /// Every claim with its error: 0 is perfect, infinity is a lie.
    pub fn errors(&self) -> [(Claim, f64); 17] {
        let flag = |ok: bool| if ok { 0.0 } else { f64::INFINITY };
        [
            (Claim::Shape, flag(self.shape)),
            (Claim::Limit, self.limit_error),
            (Claim::Admissible, self.limit_excess),
            (Claim::FrictionSum, self.friction_sum),
            (Claim::Slip, self.slip),
            (Claim::Power, self.power),
            (Claim::State, self.state),
            (Claim::Verdict, flag(self.verdict)),
            (Claim::Metric, flag(self.metric)),
            (Claim::Equilibrium, self.equilibrium),
            (Claim::Multiplier, self.multiplier),
            (Claim::Stationarity, self.stationarity),
            (Claim::Rank, self.rank),
            (Claim::Range, self.range),
            (Claim::Separation, flag(self.separation.is_none_or(|s| s > 0.0))),
            (Claim::Gap, self.gap),
            (Claim::ClaimedGap, self.gap_claimed),
        ]
    }

    /// The first claim that is off by more than `epsilon`, as an error.
    pub fn check(&self, epsilon: f64) -> Result<(), VerifyError> {
        for (claim, error) in self.errors() {
            // Not `error > epsilon`: NaN must fail.
            let within = error <= epsilon;
            if !within {
                return Err(VerifyError { claim, error, tolerance: epsilon });
            }
        }
        Ok(())
    }

    /// True when every claim made holds to the relative tolerance `epsilon`.
    pub fn holds_to(&self, epsilon: f64) -> bool {
        self.check(epsilon).is_ok()
    }
}
