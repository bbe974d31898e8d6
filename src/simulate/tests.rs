//! Fixed seeds, for a few seconds.

use super::*;

/// The operations of a run.
const OPERATIONS: usize = 60;

#[test]
fn a_seed_is_the_same_run_each_time() {
    for seed in [3, 4] {
        let [one, other] = [false, true].map(|tells| run(&Plan::of(seed, OPERATIONS), tells));
        assert_eq!((one.trace, one.steps), (other.trace, other.steps), "seed {seed}");
        let another = run(&Plan::of(seed + 100, OPERATIONS), false);
        assert_ne!(one.trace, another.trace);
    }
}

#[test]
fn faults_are_left_out_by_their_names() {
    let mut plan = Plan::of(1, 1);
    assert!(plan.faults.leave_out("kill"));
    assert!(!plan.faults.leave_out("murder"));
    assert_eq!(plan.faults.kill, 0);
}
