//! Who follows a workflow, and the times that have come.

use serde::Serialize;

use super::Runs;
use crate::model::{Schedule, Workflow};
use crate::time;

/// Where a schedule stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tick {
    /// The time that has come, and its run; if several have come since the last run, the latest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<Come>,
    /// The next one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_ms: Option<u64>,
}

/// A time that has come, and its run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Come {
    pub ms: u64,
    pub run: String,
}

impl Runs {
    /// Follow a workflow from now on: whoever followed it before finds out. Returns the number by which this follower is
    /// known.
    pub async fn follow(&self, workflow: &Workflow) -> Result<u64, String> {
        let key = follower_key(workflow);
        let mut own = 0;
        let plan = || {
            own = self.number(&key) + 1;
            let name = workflow.name.as_deref().unwrap_or("without a name");
            let action = format!("the workflow {name} is followed");
            Ok((action, vec![(key.clone(), Some(own.to_string()))]))
        };
        self.keeper.keep(Box::new(plan)).await?;
        Ok(own)
    }

    /// Whether another has begun to follow the workflow since.
    pub fn is_followed_after(&self, workflow: &Workflow, own: u64) -> bool {
        self.number(&follower_key(workflow)) > own
    }

    /// The time of the schedule that has come, and the next one. What came before the first call is over.
    pub async fn tick(&self, workflow: &Workflow, now_ms: u64) -> Result<Tick, String> {
        let Some(schedule) = &workflow.schedule else {
            return Ok(Tick {
                due: None,
                next_ms: None,
            });
        };
        let known = self.keeper.cell(&schedule_key(workflow, &schedule.cron.text));
        let Some(known) = known.and_then(|known| known.parse::<u64>().ok()) else {
            self.ticked(workflow, now_ms).await?;
            let next_ms = schedule.cron.next(now_ms);
            return Ok(Tick { due: None, next_ms });
        };
        let known = match known > now_ms {
            true => {
                self.set_back(workflow, schedule, now_ms).await?;
                now_ms
            }
            false => known,
        };
        let due = schedule.cron.last(now_ms).filter(|last| *last > known);
        Ok(Tick {
            due: due.map(|ms| Come {
                ms,
                run: workflow.run_at(schedule, ms),
            }),
            next_ms: schedule.cron.next(now_ms),
        })
    }

    /// The run of this time is kept, so that the time is over.
    pub async fn ticked(&self, workflow: &Workflow, ms: u64) -> Result<(), String> {
        let Some(schedule) = &workflow.schedule else {
            return Ok(());
        };
        let key = schedule_key(workflow, &schedule.cron.text);
        let plan = || {
            let later = self.number(&key) >= ms;
            let cells = (!later).then(|| (key.clone(), Some(ms.to_string())));
            Ok(("a time of a schedule".to_owned(), cells.into_iter().collect()))
        };
        self.keeper.keep(Box::new(plan)).await
    }

    /// The last time is in the future, because a clock was ahead: it counts as now.
    async fn set_back(&self, workflow: &Workflow, schedule: &Schedule, now_ms: u64) -> Result<(), String> {
        let key = schedule_key(workflow, &schedule.cron.text);
        let plan = || {
            let ahead = self.number(&key);
            let action = format!(
                "the last time of a schedule, {}, is in the future: it continues from now",
                time::shown(ahead)
            );
            let cells = (ahead > now_ms).then(|| (key.clone(), Some(now_ms.to_string())));
            Ok((action, cells.into_iter().collect()))
        };
        self.keeper.keep(Box::new(plan)).await
    }

    fn number(&self, key: &str) -> u64 {
        let known = self.keeper.cell(key);
        known.and_then(|known| known.parse().ok()).unwrap_or(0)
    }
}

fn follower_key(workflow: &Workflow) -> String {
    format!("follower/{}", workflow.key())
}

fn schedule_key(workflow: &Workflow, cron: &str) -> String {
    format!(
        "schedule/{}/{}",
        workflow.key(),
        crate::load::hash([cron.to_owned()])
    )
}
