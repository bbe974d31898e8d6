//! Makes a run that fails smaller, as long as it fails.

use super::plan::Plan;
use super::run::run;

/// The smallest plan found that still fails: with fewer operations, clients and processes, and fewer kinds of
/// faults.
pub fn shrink(plan: &Plan) -> Plan {
    let mut least = plan.clone();
    loop {
        let fails = |plan: &Plan| run(plan, false).wrong.is_some();
        match candidates(&least).into_iter().find(fails) {
            Some(smaller) => least = smaller,
            None => return least,
        }
    }
}

/// Plans that are smaller in one way, those that save the most first.
fn candidates(plan: &Plan) -> Vec<Plan> {
    let mut smaller = Vec::new();
    let mut with = |change: &dyn Fn(&mut Plan)| {
        let mut other = plan.clone();
        change(&mut other);
        smaller.push(other);
    };
    for part in [2, 4, 8, 16, plan.operations] {
        let less = plan.operations / part.max(1);
        if less > 0 && plan.operations > less {
            with(&|other| other.operations -= less);
        }
    }
    if plan.clients > 1 {
        with(&|other| other.clients -= 1);
    }
    if plan.processes > 1 {
        with(&|other| other.processes -= 1);
    }
    let mut rates = plan.clone();
    for (name, rate) in rates.rates() {
        if *rate > 0 {
            with(&|other| {
                other.leave_out(name);
            });
        }
    }
    smaller
}
