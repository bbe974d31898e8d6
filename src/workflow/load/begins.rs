//! What begins runs: `on`.

use super::Context;
use super::keys::Keys;
use crate::fault::LoadFault;
use crate::json::{Json, Object};
use crate::model::{Follows, Schedule};
use crate::schedule::Cron;
use crate::yaml::Yaml;

/// One of both, or nothing.
#[derive(Default)]
pub(super) struct Begins {
    pub follows: Option<Follows>,
    pub schedule: Option<Schedule>,
}

pub(super) fn begins(top: &Keys<'_>, context: &Context<'_>) -> Result<Begins, LoadFault> {
    let Some(value) = top.get("on") else {
        return Ok(Begins::default());
    };
    if context.outer.levels > 0 {
        return Err(top.meaningless("on", value, "runs begin with the outermost text"));
    }
    let keys = Keys::of(value, "'on'", &["goal", "cron", "start"])?;
    let Some(cron) = keys.text("cron")? else {
        return Ok(Begins {
            follows: Some(follows(&keys)?),
            schedule: None,
        });
    };
    if let Some(goal) = keys.get("goal") {
        let message = "'goal' and 'cron' of 'on' cannot be combined: a text has one of them.";
        return Err(LoadFault::new(message, goal.at));
    }
    let at = keys.get("cron").map_or(keys.at, |cron| cron.at);
    let cron = Cron::parse(cron).map_err(|why| LoadFault::new(why, at))?;
    let start = match keys.get("start").map(|start| (start, start.to_json())) {
        None => Object::new(),
        Some((_, Json::Object(start))) => start,
        Some((start, _)) => return Err(keys.wrong("start", start, "a map: the state that runs begin with")),
    };
    Ok(Begins {
        follows: None,
        schedule: Some(Schedule { cron, start }),
    })
}

fn follows(keys: &Keys<'_>) -> Result<Follows, LoadFault> {
    let goal = keys.needed("goal")?.trim().trim_end_matches('.').to_owned();
    if goal.is_empty() {
        return Err(keys.lacks("goal"));
    }
    let start: Option<&Yaml> = keys.get("start");
    let once = match keys.text("start")? {
        None | Some("each") => false,
        Some("once") => true,
        Some(word) => {
            let at = start.map_or(keys.at, |start| start.at);
            let message = format!(
                "'{word}' is not a way to start runs: 'each' starts one for each answer, 'once' one for the first."
            );
            return Err(LoadFault::new(message, at));
        }
    };
    Ok(Follows { goal, once })
}
