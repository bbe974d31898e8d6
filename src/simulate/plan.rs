//! What a run consists of: who takes part, how much they do, and what may go wrong. All of it follows from the
//! seed.

use hornbook_base::Limits;

use super::random::Random;

/// The tasks that a workspace has at a time at most, unless something waits without bound: its writes, its standby, what
/// follows others and what closes queries.
pub const MOST_OF_WORKSPACE: usize = 16;

/// How often each fault strikes, in 10,000 times that it could.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// A process is killed, for each step of the executor.
    pub kill: u32,
    /// All are killed at once, and what was not synced may be lost, for each kill.
    pub power: u32,
    /// A read, or a look at the end of the log, fails.
    pub read: u32,
    /// There is no space for an append, or it fails in another way.
    pub append: u32,
    /// An append or a rewrite is carried out, and its reply is lost.
    pub lost: u32,
    /// An operation of the log takes long.
    pub slow: u32,
    /// It takes seconds.
    pub stall: u32,
    /// News of changes are delivered though there are none.
    pub spurious: u32,
    /// An engine cannot be started.
    pub spawn: u32,
    /// An engine dies of a request, before or after it has carried it out.
    pub die: u32,
    /// An engine does not answer.
    pub hang: u32,
    /// An engine answers late.
    pub late: u32,
    /// An engine takes up to half a minute to fill its memory, and dies of it.
    pub fill: u32,
    /// The clock is set forward or back, for each step of the executor.
    pub jump: u32,
    /// The machine sleeps: all timers are late at once.
    pub sleep: u32,
    /// A client cancels its call.
    pub cancel: u32,
    /// A client goes away during its call.
    pub leave: u32,
    /// A process that opens a rewritten log again is shown another book's.
    pub astray: u32,
    /// All are killed at once, for each step during which somebody writes to the file of the log.
    pub tear: u32,
}

impl Faults {
    /// All of them, with their names.
    pub fn all(&mut self) -> [(&'static str, &mut u32); 19] {
        [
            ("kill", &mut self.kill),
            ("power", &mut self.power),
            ("read", &mut self.read),
            ("append", &mut self.append),
            ("lost", &mut self.lost),
            ("slow", &mut self.slow),
            ("stall", &mut self.stall),
            ("spurious", &mut self.spurious),
            ("spawn", &mut self.spawn),
            ("die", &mut self.die),
            ("hang", &mut self.hang),
            ("late", &mut self.late),
            ("fill", &mut self.fill),
            ("jump", &mut self.jump),
            ("sleep", &mut self.sleep),
            ("cancel", &mut self.cancel),
            ("leave", &mut self.leave),
            ("astray", &mut self.astray),
            ("tear", &mut self.tear),
        ]
    }
}

/// What clients do besides changing clauses and asking for them: how often, in 10,000 calls.
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// They add and remove constraints, and what those see.
    pub constraints: u32,
    /// They watch goals, and stop it.
    pub watches: u32,
    /// They propose into drafts, and decide about those.
    pub drafts: u32,
    /// They begin runs of workflows, resume them, send them signals, cancel them.
    pub workflows: u32,
    /// They call the tools of the memory.
    pub memory: u32,
    /// They watch goals that follow by rules, and add and remove those and what they see.
    pub rules: u32,
}

/// Where the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// In a file that one of the processes keeps, and serves to the others.
    File,
    /// In a table of a database: all processes are equal, and each append is there as a whole or not at all.
    Table,
}

/// A run.
#[derive(Debug, Clone)]
pub struct Plan {
    pub seed: u64,
    pub processes: usize,
    /// Clients of each process.
    pub clients: usize,
    /// Operations in all.
    pub operations: usize,
    /// Operations between two quiet points.
    pub round: usize,
    /// Engines of each process.
    pub engines: usize,
    pub kind: Kind,
    pub faults: Faults,
    pub work: Work,
    pub limits: Limits,
}

impl Work {
    /// Whether goals are watched.
    pub fn watches_goals(&self) -> bool {
        self.watches > 0 || self.rules > 0
    }
}

impl Plan {
    /// The tasks that there are at a time at most, unless something waits without bound: those of the log and of each
    /// process, and for each client its call with what that began.
    pub fn most_tasks(&self) -> usize {
        8 + self.processes * (8 + 3 * self.clients)
    }

    /// All that happens by chance, with its name.
    pub fn rates(&mut self) -> Vec<(&'static str, &mut u32)> {
        let Work {
            constraints,
            watches,
            drafts,
            workflows,
            memory,
            rules,
        } = &mut self.work;
        let work = [
            ("constraints", constraints),
            ("watches", watches),
            ("drafts", drafts),
            ("workflows", workflows),
            ("memory", memory),
            ("rules", rules),
        ];
        self.faults.all().into_iter().chain(work).collect()
    }

    /// Let what has this name never happen. Returns whether there is such a thing.
    pub fn leave_out(&mut self, name: &str) -> bool {
        let found = self.rates().into_iter().find(|(other, _)| *other == name);
        found.map(|(_, rate)| *rate = 0).is_some()
    }

    /// The run of a seed. Some kinds of faults are left out of each: what one hides, another run shows.
    pub fn of(seed: u64, operations: usize) -> Plan {
        let random = Random::of(seed, 1);
        let rate = |most: u64| match random.below(2) {
            0 => 0,
            _ => random.between(1, most) as u32,
        };
        let of_log = Random::of(seed, 40);
        let faults = Faults {
            kill: rate(12),
            power: rate(5_000),
            read: rate(200),
            append: rate(1_500),
            lost: rate(1_500),
            slow: rate(1_000),
            spurious: rate(3_000),
            spawn: rate(1_000),
            die: rate(200),
            hang: rate(100),
            late: rate(100),
            cancel: rate(1_000),
            leave: rate(1_000),
            astray: if of_log.chance(2_500) { 2_000 } else { 0 },
            tear: if of_log.chance(2_500) { 20 } else { 0 },
            ..Faults::default()
        };
        let of_work = Random::of(seed, 3);
        let often = |most: u64| match of_work.below(2) {
            0 => 0,
            _ => of_work.between(most / 10, most) as u32,
        };
        let of_rules = Random::of(seed, 41);
        let work = Work {
            constraints: often(4_000),
            watches: often(1_000),
            drafts: often(4_000),
            workflows: often(5_000),
            memory: often(4_000),
            rules: if of_rules.chance(5_000) { 3_000 } else { 0 },
        };
        let faults = Faults {
            stall: often(300),
            fill: often(100),
            jump: often(20),
            sleep: often(10),
            ..faults
        };
        // What a call makes at most, as a rule: a run has some records.
        let revisions = match (work.workflows > 0, work.drafts > 0) {
            (true, _) => 40,
            (false, true) => 8,
            (false, false) => 4,
        };
        let round = random.between(5, 60) as usize;
        let limits = Limits {
            journal_bytes: random.between(2_000, 10_000),
            // Each round must be in the log as it is read after it; a call makes three revisions at most, and each
            // process reads what was decided about its draft.
            history: revisions * round + random.between(0, 200) as usize,
            open_queries: random.between(1, 4) as usize,
            step_ms: 2_000,
            grace_ms: 100,
            standby_after_ms: 200,
            load_bytes: random.between(50, 5_000) as usize,
            step_items: random.between(1, 10) as usize,
            ..Limits::default()
        };
        Plan {
            seed,
            processes: random.between(2, 4) as usize,
            clients: random.between(1, 3) as usize,
            operations,
            round,
            engines: random.between(1, 2) as usize,
            kind: *random.pick(&[Kind::File, Kind::Table]),
            faults,
            work,
            limits,
        }
    }
}
