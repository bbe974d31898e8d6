//! Runs seeds, one after the other, and says what is wrong with the first that fails ([`HELP`]).

use std::process::ExitCode;
use std::time::{Duration, Instant};

use hornbook_simulate::{Outcome, Plan, replay, run, shrink};

const HELP: &str = "\
Runs seeds, one after the other, until one fails or the time is over, and says what is wrong.

    cargo run -p hornbook-simulate --profile simulate -- [OPTION …]

    --seed N          the first seed; 1 unless told otherwise
    --seconds S       go on with further seeds for so long by the clock, however busy the machine is; without it, only one
                      is run
    --operations N    the calls of each seed; 500 unless told otherwise
    --events N        the last events before a failure that are shown; 40 unless told otherwise
    --shrink          make a run that fails smaller, and print the options that repeat it
    --processes N     so many processes, instead of those that follow from the seed
    --clients N       so many clients of each process, in the same way
    --plan            print the calls of the seed, made one after the other while nothing fails, as JSON, with the
                      book's text after each: tests/resilience/replayed.test.mjs makes them on a real book
    --without NAME,…  leave this out: ";

/// Operations of a run, unless told otherwise.
const OPERATIONS: usize = 500;
/// The events before a failure that are shown, unless told otherwise.
const SHOWN: usize = 40;
/// How often it is told how far this is.
const TELLS: Duration = Duration::from_secs(10);

#[derive(Default)]
struct Arguments {
    seed: u64,
    seconds: Option<u64>,
    operations: Option<usize>,
    events: Option<usize>,
    processes: Option<usize>,
    clients: Option<usize>,
    without: Vec<String>,
    shrinks: bool,
    plans: bool,
    helps: bool,
}

fn main() -> ExitCode {
    let arguments = match parsed(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    if arguments.helps {
        let mut plan = Plan::of(arguments.seed, 0);
        let names: Vec<&str> = plan.rates().into_iter().map(|(name, _)| name).collect();
        println!("{HELP}{}", names.join(", "));
        return ExitCode::SUCCESS;
    }
    // A panic is a finding like any other, and is shown as one.
    std::panic::set_hook(Box::new(|_| {}));
    if arguments.plans {
        return match planned(&arguments, arguments.seed).and_then(replay) {
            Ok(calls) => {
                println!("{calls}");
                ExitCode::SUCCESS
            }
            Err(why) => {
                eprintln!("{why}");
                ExitCode::FAILURE
            }
        };
    }
    let begun = Instant::now();
    let seconds = Duration::from_secs(arguments.seconds.unwrap_or(0));
    let (mut operations, mut steps, mut seeds, mut tasks) = (0, 0, 0, 0);
    let mut told = begun;
    let found = loop {
        let plan = match planned(&arguments, arguments.seed + seeds) {
            Ok(plan) => plan,
            Err(why) => {
                eprintln!("{why}");
                return ExitCode::from(2);
            }
        };
        let outcome = run(&plan, false);
        operations += outcome.operations;
        steps += outcome.steps;
        tasks = outcome.tasks.max(tasks);
        seeds += 1;
        if outcome.wrong.is_some() {
            break Some(plan);
        }
        if begun.elapsed() >= seconds {
            println!("trace {:016x}", outcome.trace);
            break None;
        }
        if told.elapsed() >= TELLS {
            told = Instant::now();
            let took = begun.elapsed().as_secs();
            eprintln!("{seeds} seeds, {operations} operations in {took} s");
        }
    };
    let took = begun.elapsed().as_secs_f64();
    println!(
        "{seeds} seeds, {operations} operations, {steps} steps of {tasks} tasks at most in {took:.1} s: {:.0} operations a second",
        operations as f64 / took
    );
    let Some(plan) = found else {
        return ExitCode::SUCCESS;
    };
    let plan = if arguments.shrinks { shrink(&plan) } else { plan };
    show(&plan, &run(&plan, true), arguments.events.unwrap_or(SHOWN));
    ExitCode::FAILURE
}

fn parsed(mut given: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        seed: 1,
        ..Arguments::default()
    };
    while let Some(name) = given.next() {
        let mut value = || given.next().ok_or_else(|| format!("{name} needs a value"));
        let mut number = || {
            let value = value()?;
            let number = value.parse::<u64>();
            number.map_err(|_| format!("{name} needs a number, not {value}"))
        };
        match name.as_str() {
            "--help" | "-h" => arguments.helps = true,
            "--plan" => arguments.plans = true,
            "--shrink" => arguments.shrinks = true,
            "--seed" => arguments.seed = number()?,
            "--seconds" => arguments.seconds = Some(number()?),
            "--operations" => arguments.operations = Some(number()? as usize),
            "--events" => arguments.events = Some(number()? as usize),
            "--processes" => arguments.processes = Some(number()?.max(1) as usize),
            "--clients" => arguments.clients = Some(number()?.max(1) as usize),
            "--without" => arguments.without = value()?.split(',').map(str::to_owned).collect(),
            _ => return Err(format!("there is no option {name}: see --help")),
        }
    }
    Ok(arguments)
}

fn planned(arguments: &Arguments, seed: u64) -> Result<Plan, String> {
    let mut plan = Plan::of(seed, arguments.operations.unwrap_or(OPERATIONS));
    plan.processes = arguments.processes.unwrap_or(plan.processes);
    plan.clients = arguments.clients.unwrap_or(plan.clients);
    for name in &arguments.without {
        if !plan.leave_out(name) {
            let names: Vec<&str> = plan.rates().into_iter().map(|(name, _)| name).collect();
            return Err(format!(
                "there is no {name} to leave out, but {}",
                names.join(", ")
            ));
        }
    }
    Ok(plan)
}

fn show(plan: &Plan, outcome: &Outcome, events: usize) {
    let skipped = outcome.events.len().saturating_sub(events);
    for event in &outcome.events[skipped..] {
        println!("{event}");
    }
    println!(
        "step {}: {}",
        outcome.steps,
        outcome.wrong.as_deref().unwrap_or("nothing is wrong")
    );
    let mut rates = plan.clone();
    let without: Vec<&str> = rates
        .rates()
        .into_iter()
        .filter(|(_, rate)| **rate == 0)
        .map(|(name, _)| name)
        .collect();
    println!(
        "again: cargo run -p hornbook-simulate --profile simulate -- --seed {} --operations {} --processes {} --clients {} --without {}",
        plan.seed,
        plan.operations,
        plan.processes,
        plan.clients,
        without.join(",")
    );
}
