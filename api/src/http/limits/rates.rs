//! Counts the requests of callers over time, with the GCRA of `governor`.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::http::Method;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::http::limits::options::{Limits, Rate};
use crate::http::limits::visitor::Visitor;

/// The header with the remaining quotas (draft-ietf-httpapi-ratelimit-headers-10).
pub const RATE_LIMIT: &str = "ratelimit";

/// The header with the quotas (draft-ietf-httpapi-ratelimit-headers-10).
pub const RATE_LIMIT_POLICY: &str = "ratelimit-policy";

/// The most callers counted separately under a policy, at about 40 bytes each.
///
/// Beyond that, callers share quotas by their hash. So invented addresses or tokens cannot fill the memory.
const CALLERS: usize = 200_000;

/// The number of shared quotas when there are too many callers.
const SHARED: u64 = 4_096;

/// How often callers with a full quota are evicted.
pub(crate) const SWEEP: Duration = Duration::from_secs(5);

/// A quota of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Reading without a token, counted by address.
    Reads,
    /// Writing without a token, counted by address.
    Writes,
    /// Reading with a token, counted by token.
    TokenReads,
    /// Writing with a token, counted by token.
    TokenWrites,
    /// Any request with a token, counted by address.
    Tokens,
    /// Creating a game, an account or a report, counted by address.
    Games,
    /// An expensive request, counted by address.
    Expensive,
    /// Starting an analysis, counted by address.
    Analysis,
    /// Signing in or proving a password, counted by address.
    SignIns,
    /// Signing in with a password, counted by the handle of the account.
    AccountSignIns,
    /// Exporting the data of an account, counted by address.
    Exports,
    /// Entering the code of a device, counted by account.
    UserCodes,
}

impl Policy {
    /// Every policy, in the order of the enum.
    pub const ALL: [Policy; 12] = [
        Policy::Reads,
        Policy::Writes,
        Policy::TokenReads,
        Policy::TokenWrites,
        Policy::Tokens,
        Policy::Games,
        Policy::Expensive,
        Policy::Analysis,
        Policy::SignIns,
        Policy::AccountSignIns,
        Policy::Exports,
        Policy::UserCodes,
    ];

    /// The name in headers and in the list of limits.
    pub const fn name(self) -> &'static str {
        match self {
            Policy::Reads => "reads",
            Policy::Writes => "writes",
            Policy::TokenReads => "token_reads",
            Policy::TokenWrites => "token_writes",
            Policy::Tokens => "tokens",
            Policy::Games => "games",
            Policy::Expensive => "expensive",
            Policy::Analysis => "analysis",
            Policy::SignIns => "sign_ins",
            Policy::AccountSignIns => "account_sign_ins",
            Policy::Exports => "exports",
            Policy::UserCodes => "user_codes",
        }
    }

    /// The operator's limit.
    pub fn rate(self, limits: &Limits) -> Rate {
        match self {
            Policy::Reads => limits.reads,
            Policy::Writes => limits.writes,
            Policy::TokenReads => limits.token_reads,
            Policy::TokenWrites => limits.token_writes,
            Policy::Tokens => limits.tokens,
            Policy::Games => limits.games,
            Policy::Expensive => limits.expensive,
            Policy::Analysis => limits.analysis,
            Policy::SignIns => limits.sign_ins,
            Policy::AccountSignIns => limits.account_sign_ins,
            Policy::Exports => limits.exports,
            Policy::UserCodes => limits.user_codes,
        }
    }

    /// The policies that apply to every request of this kind.
    pub(crate) fn for_request(method: &Method, visitor: &Visitor) -> &'static [Policy] {
        let reads = [Method::GET, Method::HEAD].contains(method);
        match (reads, visitor.token) {
            (true, None) => &[Policy::Reads],
            (false, None) => &[Policy::Writes],
            (true, Some(_)) => &[Policy::TokenReads, Policy::Tokens],
            (false, Some(_)) => &[Policy::TokenWrites, Policy::Tokens],
        }
    }
}

/// The state of a caller's quota after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuotaStanding {
    pub(crate) policy: Policy,
    pub(crate) rate: Rate,
    /// How many more requests may come immediately.
    pub(crate) left: u32,
    /// Seconds until the quota is full again.
    pub(crate) seconds: u64,
    /// If the request exceeded the quota: in how many seconds the caller should retry.
    pub(crate) retry: Option<u64>,
}

/// Formats `RateLimit` and `RateLimit-Policy`: lists of structured fields (RFC 9651).
pub(crate) fn fields(standings: &[QuotaStanding]) -> (String, String) {
    let left = standings.iter().map(|standing| {
        let name = standing.policy.name();
        format!("\"{name}\";r={};t={}", standing.left, standing.seconds)
    });
    let policies = standings.iter().map(|standing| {
        let name = standing.policy.name();
        let Rate { quantity, seconds } = standing.rate;
        format!("\"{name}\";q={quantity};w={seconds}")
    });
    let (left, policies): (Vec<String>, Vec<String>) = (left.collect(), policies.collect());
    (left.join(", "), policies.join(", "))
}

type KeyedLimiter = DefaultKeyedRateLimiter<u64, StateInformationMiddleware>;

/// The callers of one policy.
struct Counts {
    policy: Policy,
    rate: Rate,
    keyed: KeyedLimiter,
    /// Whether there are too many callers to count each separately.
    crowded: AtomicBool,
}

impl std::fmt::Debug for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}", self.policy, self.rate)
    }
}

/// The callers of all policies.
#[derive(Debug)]
pub(crate) struct Rates {
    /// For other machines, and for the server's own machine.
    counts: [Vec<Option<Counts>>; 2],
    pub(crate) hasher: RandomState,
}

impl Rates {
    pub(crate) fn new(limits: &Limits) -> Rates {
        let counts = |policy: Policy, times: u32| {
            let Rate { quantity, seconds } = policy.rate(limits);
            let rate = Rate {
                quantity: quantity.saturating_mul(times),
                seconds,
            };
            let quantity = NonZeroU32::new(rate.quantity).filter(|_| !limits.unmetered)?;
            let period = Duration::from_secs(rate.seconds.into()) / rate.quantity;
            let quota = Quota::with_period(period)?.allow_burst(quantity);
            Some(Counts {
                policy,
                rate,
                keyed: RateLimiter::keyed(quota).with_middleware(),
                crowded: AtomicBool::new(false),
            })
        };
        let of = |times: u32| Policy::ALL.map(|policy| counts(policy, times)).into();
        Rates {
            counts: [of(1), of(limits.loopback.max(1))],
            hasher: RandomState::new(),
        }
    }

    /// Counts a request `times` times, but at most as the whole quota.
    ///
    /// `None` when there is no limit.
    pub(crate) fn count(
        &self,
        visitor: &Visitor,
        policy: Policy,
        times: u32,
    ) -> Option<QuotaStanding> {
        let counts = self.counts[usize::from(visitor.times > 1)][policy as usize].as_ref()?;
        let by_token = matches!(policy, Policy::TokenReads | Policy::TokenWrites);
        let key = match visitor.token.filter(|_| by_token) {
            Some(token) => token,
            None => self.hasher.hash_one(visitor.address),
        };
        counts.count(key, times)
    }

    /// Counts a request under a name, such as a handle, from all callers. `None` when there is no limit.
    pub(crate) fn count_name(&self, name: &str, policy: Policy) -> Option<QuotaStanding> {
        let counts = self.counts[0][policy as usize].as_ref()?;
        counts.count(self.hasher.hash_one(name), 1)
    }

    /// Evicts callers with a full quota.
    pub(crate) fn sweep(&self) {
        for counts in self.counts.iter().flatten().flatten() {
            counts.keyed.retain_recent();
            counts.keyed.shrink_to_fit();
            let crowded = counts.keyed.len() > CALLERS;
            counts.crowded.store(crowded, Ordering::Relaxed);
        }
    }
}

impl Counts {
    fn count(&self, mut key: u64, times: u32) -> Option<QuotaStanding> {
        if self.crowded.load(Ordering::Relaxed) {
            key %= SHARED;
        }
        let Rate { quantity, seconds } = self.rate;
        let times = NonZeroU32::new(times.min(quantity)).unwrap_or(NonZeroU32::MIN);
        // `times` is at most the quota, so the check itself cannot fail.
        let checked = self.keyed.check_key_n(&key, times).ok()?;
        Some(match checked {
            Ok(state) => {
                let left = state.remaining_burst_capacity();
                let used = u64::from(quantity.saturating_sub(left));
                QuotaStanding {
                    policy: self.policy,
                    rate: self.rate,
                    left,
                    seconds: (used * u64::from(seconds)).div_ceil(quantity.into()),
                    retry: None,
                }
            }
            Err(until) => {
                let wait = until
                    .wait_time_from(DefaultClock::default().now())
                    .as_secs()
                    + 1;
                let rest = u64::from(quantity.saturating_sub(times.get()));
                QuotaStanding {
                    policy: self.policy,
                    rate: self.rate,
                    left: 0,
                    seconds: wait + (rest * u64::from(seconds)).div_ceil(quantity.into()),
                    retry: Some(wait),
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn visitor(number: u32) -> Visitor {
        Visitor {
            address: IpAddr::from(number.to_be_bytes()).into(),
            times: 1,
            token: None,
        }
    }

    #[test]
    fn all_lists_policies_in_the_order_of_the_enum() {
        for (index, policy) in Policy::ALL.into_iter().enumerate() {
            assert_eq!(policy as usize, index);
        }
    }

    #[test]
    fn each_caller_has_a_quota() {
        let limits = Limits {
            reads: Rate {
                quantity: 3,
                seconds: 3_600,
            },
            ..Limits::default()
        };
        let rates = Rates::new(&limits);
        let left = |number| {
            let standing = rates.count(&visitor(number), Policy::Reads, 1).unwrap();
            (standing.left, standing.retry.is_some())
        };
        assert_eq!(
            [left(1), left(1), left(1)],
            [(2, false), (1, false), (0, false)]
        );
        assert_eq!(left(1), (0, true));
        assert_eq!(left(2), (2, false));
        let refused = rates.count(&visitor(1), Policy::Reads, 1).unwrap();
        assert!(
            (1_000..=1_201).contains(&refused.retry.unwrap()),
            "{refused:?}"
        );
        assert!((3_400..=3_601).contains(&refused.seconds), "{refused:?}");
    }

    #[test]
    fn a_request_that_counts_several_times_uses_at_most_the_whole_quota() {
        let limits = Limits {
            games: Rate {
                quantity: 10,
                seconds: 3_600,
            },
            ..Limits::default()
        };
        let rates = Rates::new(&limits);
        let left = |number, times| {
            let standing = rates.count(&visitor(number), Policy::Games, times);
            let standing = standing.unwrap();
            (standing.left, standing.retry.is_some())
        };
        assert_eq!(left(1, 6), (4, false));
        assert_eq!(left(1, 5), (0, true));
        assert_eq!(left(1, 4), (0, false), "a refused request uses no quota");
        assert_eq!(left(2, 100), (0, false), "at most the whole quota is used");
        assert_eq!(left(2, 1), (0, true));
    }

    #[test]
    fn too_many_callers_share_quotas() {
        let limits = Limits {
            reads: Rate {
                quantity: 1,
                seconds: 3_600,
            },
            ..Limits::default()
        };
        let rates = Rates::new(&limits);
        let counts = rates.counts[0][0].as_ref().unwrap();
        for number in 0..=CALLERS as u32 {
            rates.count(&visitor(number), Policy::Reads, 1);
        }
        rates.sweep();
        for number in 1_000_000..1_100_000 {
            rates.count(&visitor(number), Policy::Reads, 1);
        }
        assert!(counts.keyed.len() <= CALLERS + 1 + SHARED as usize);
    }

    #[test]
    fn callers_with_a_full_quota_are_evicted() {
        let limits = Limits {
            reads: Rate {
                quantity: 1_000_000,
                seconds: 1,
            },
            ..Limits::default()
        };
        let rates = Rates::new(&limits);
        let counts = rates.counts[0][0].as_ref().unwrap();
        for number in 0..100 {
            rates.count(&visitor(number), Policy::Reads, 1);
        }
        while !counts.keyed.is_empty() {
            rates.sweep();
        }
    }
}
