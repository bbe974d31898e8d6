// Generated from the crates by `cargo run -p hornbook-generate`.

/**
 * A line that was not taken over.
 */
export type MemoryImportProblem = { 
/**
 * From 1.
 */
line: number, why: string, };

/**
 * What was made of an import.
 */
export type MemoryImport = { added: number, replaced: number, 
/**
 * Records that are there already as they are.
 */
unchanged: number, 
/**
 * How many lines are not taken over.
 */
not_taken: number, 
/**
 * The first of those, by their lines.
 */
problems: Array<MemoryImportProblem>, 
/**
 * How many more there are.
 */
problems_left_out?: number, 
/**
 * What the book's rules object to.
 */
warnings?: Array<string>, };

/**
 * How sure one was. What is less sure fades faster.
 */
export type ExperienceConfidence = "low" | "medium" | "high";

export type ExperienceItem = { id: string, type: ExperienceType, content: string, confidence: ExperienceConfidence, 
/**
 * From 0 to 1, at the time that was asked for.
 */
relevance: number, tags: Array<string>, context?: string | null, namespace?: string, 
/**
 * How often it was learned.
 */
times?: number, 
/**
 * As ISO 8601.
 */
created_at?: string, valid_from?: string, valid_to?: string, 
/**
 * The id of what says it better.
 */
superseded_by?: string, };

export type ExperienceList = { experiences: Array<ExperienceItem>, count: number, 
/**
 * How many there are, where all were looked at.
 */
total?: number, total_at_least?: number, 
/**
 * How many were asked for that the budget had no room for, and what to do then.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

/**
 * What kind of experience it is.
 */
export type ExperienceType = "solution" | "pattern" | "decision" | "workaround" | "gotcha";

/**
 * A record that an answer rests on.
 */
export type FactItem = { 
/**
 * Its key.
 */
fact: string, 
/**
 * As ISO 8601.
 */
told: string, confidence: number, 
/**
 * Where it is from, or how sure it was.
 */
by?: string, };

export type IdeaItem = { id: string, title: string, status: IdeaStatus, category: string | null, score: number | null, };

export type IdeaList = { ideas: Array<IdeaItem>, count: number, 
/**
 * How many there are, where all were looked at.
 */
total?: number, total_at_least?: number, 
/**
 * How many were asked for that the budget had no room for, and what to do then.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

export type IdeaStatus = "draft" | "evaluating" | "approved" | "implementing" | "done" | "archived";

export type InferredAnswer = { 
/**
 * Prolog text, by the names of the variables.
 */
bindings: { [key in string]: string }, 
/**
 * That of the weakest fact, from 0 to 1.
 */
confidence: number, 
/**
 * A step a line, indented by two spaces: the goal, and by what it holds.
 */
proof: Array<string>, facts: Array<FactItem>, rules: Array<RuleItem>, };

/**
 * What follows from the memory: the answers to a goal.
 */
export type InferredAnswers = { goal: string, answers: Array<InferredAnswer>, count: number, 
/**
 * How many there are, where all were looked at.
 */
total?: number, total_at_least?: number, 
/**
 * How many were asked for that the budget had no room for, and what to do then.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

/**
 * What lists give, by the tool and the action.
 */
export type MemoryLists = { "kn_graph query": NodeList, "kn_project list": ProjectsResult, "kn_experience search": ExperienceList, "kn_idea list": IdeaList, "kn_intel infer": InferredAnswers, };

/**
 * A node in a list; with `detail: full` it has more.
 */
export type NodeItem = { _v: string, id: string, name: string, type: string, valid_from?: string, valid_to?: string, 
/**
 * The id of what says it better.
 */
superseded_by?: string, };

export type NodeList = { nodes: Array<NodeItem>, count: number, 
/**
 * How many there are, where all were looked at.
 */
total?: number, total_at_least?: number, 
/**
 * How many were asked for that the budget had no room for, and what to do then.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

export type ProjectItem = { id: string, name: string, phase: ProjectPhase, 
/**
 * Whether it is the one that is worked on.
 */
active: boolean, };

export type ProjectList = { projects: Array<ProjectItem>, count: number, 
/**
 * How many there are, where all were looked at.
 */
total?: number, total_at_least?: number, 
/**
 * How many were asked for that the budget had no room for, and what to do then.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

export type ProjectPhase = "planning" | "active" | "paused" | "done";

/**
 * All of one project where `project_id` was given.
 */
export type ProjectsResult = ProjectList | ProjectHead & ProjectDetails;

/**
 * A rule of the book that an answer rests on.
 */
export type RuleItem = { 
/**
 * The id of its clause.
 */
rule: number, text: string, 
/**
 * Its file and line, or whence it came.
 */
from: string, };

export type ProjectHead = { goals: Array<string>, stakeholders: Array<string>, success_metrics: Array<string>, id: string, name: string, phase: ProjectPhase, 
/**
 * Whether it is the one that is worked on.
 */
active: boolean, };

export type LogItem = { id: string, type: "progress" | "failure", action: string, 
/**
 * As ISO 8601.
 */
created_at: string, result?: string, next_step?: string, };

/**
 * One project, with its log, the newest entry first.
 */
export type ProjectDetails = { log: Array<LogItem>, count: number, 
/**
 * How many there are, where all were looked at.
 */
total?: number, total_at_least?: number, 
/**
 * How many were asked for that the budget had no room for, and what to do then.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };
