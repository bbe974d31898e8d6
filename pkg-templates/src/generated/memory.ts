// Generated from the crates by `cargo run -p hornbook-generate`.

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
 * A line that was not taken over.
 */
export type MemoryImportProblem = { 
/**
 * From 1.
 */
line: number, why: string, };

/**
 * An idea that was created or updated.
 */
export type ChangedIdea = { id: string, title: string, status: IdeaStatus, category: string | null, score: number | null, 
/**
 * The id of the node that the idea is linked to; `null` where there is no such node.
 */
linked_to?: string | null, 
/**
 * Why it is not linked.
 */
link_error?: string, };

/**
 * The part of the memory that some words are about.
 */
export type Context = { nodes: Array<ContextNode>, experiences: Array<ContextExperience>, 
/**
 * Those between the nodes, as many as there is room for; with `detail: full`.
 */
edges?: Array<EdgeItem>, 
/**
 * The words that were asked for.
 */
query: string, detail: Detail, count: number, 
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

export type ContextExperience = { id: string, type: ExperienceType, 
/**
 * Its beginning; all of it with `detail: full`.
 */
content: string, 
/**
 * From 0 to 1, at the time that was asked for.
 */
relevance: number, confidence?: ExperienceConfidence, tags?: Array<string>, context?: string | null, valid_from?: string, valid_to?: string, 
/**
 * The id of what says it better.
 */
superseded_by?: string, 
/**
 * From 0 to 1; the order.
 */
score?: number, ranked_by?: RankedBy, };

export type ContextNode = { id: string, name: string, type: string, confidence: number, description?: string | null, tags?: Array<string> | null, properties?: unknown | null, valid_from?: string, valid_to?: string, 
/**
 * The id of what says it better.
 */
superseded_by?: string, 
/**
 * From 0 to 1; the order.
 */
score?: number, ranked_by?: RankedBy, };

/**
 * What this book and others have about a problem.
 */
export type Crossref = { results: Array<CrossrefItem>, 
/**
 * How many.
 */
unread?: number, 
/**
 * The first of them.
 */
unread_books?: Array<UnreadBook>, count: number, 
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

export type CrossrefItem = { 
/**
 * The name of the book; `default` is this one.
 */
workspace: string, } & ({ "source": "node" } & RecalledNode | { "source": "experience" } & RecalledExperience);

export type Detail = "summary" | "full";

/**
 * An edge that was made.
 */
export type EdgeDetails = { properties: unknown | null, created_by: null, 
/**
 * As ISO 8601.
 */
created_at: string, source_id: string, target_id: string, type: string, 
/**
 * From 0 to 1.
 */
weight: number, valid_from?: string, valid_to?: string, 
/**
 * The id of what says it better.
 */
superseded_by?: string, };

/**
 * An edge in a list.
 */
export type EdgeItem = { properties?: unknown, source_id: string, target_id: string, type: string, 
/**
 * From 0 to 1.
 */
weight: number, valid_from?: string, valid_to?: string, 
/**
 * The id of what says it better.
 */
superseded_by?: string, };

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
superseded_by?: string, 
/**
 * From 0 to 1; the order.
 */
score?: number, ranked_by?: RankedBy, };

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

/**
 * How much there is.
 */
export type GraphStatus = { nodes: number, edges: number, experiences: number, projects: number, ideas: number, 
/**
 * How many nodes each of the first thirty has.
 */
namespaces: { [key in string]: number }, namespaces_left_out?: number, 
/**
 * The memory is in the book.
 */
db_path: null, hidden: Hidden, };

/**
 * How many are removed or superseded.
 */
export type Hidden = { nodes: number, experiences: number, };

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
 * What was learned.
 */
export type Learned = { stored_as: StoredAs, 
/**
 * The node that stands for it; where it is stored as one.
 */
node_id: string | null, experience_id: string, type: ExperienceType, confidence: ExperienceConfidence, 
/**
 * It was known, and is as fresh as if it were new.
 */
strengthened?: boolean, 
/**
 * How often it was learned.
 */
times?: number, 
/**
 * The id of what it takes the place of.
 */
supersedes?: string, };

/**
 * A node in a list: all of it with `detail: full`.
 */
export type ListedNode = NodeItem | NodeDetails;

export type LogKind = "progress" | "failure";

/**
 * The entry of a log that was made.
 */
export type Logged = { id: string, project_id: string, type: LogKind, action: string, };

/**
 * What each action gives, by the tool and the action.
 */
export type MemoryReplies = { "kn_graph add": NodeDetails, "kn_graph connect": EdgeDetails, "kn_graph query": NodeList, "kn_graph remove": Removed, "kn_graph restore": Restored, "kn_graph status": GraphStatus, "kn_project create": ProjectSummary, "kn_project update": ProjectSummary, "kn_project list": ProjectsResult, "kn_project log": Logged, "kn_experience save": SavedExperience, "kn_experience search": ExperienceList, "kn_experience prune": Pruned, "kn_experience remove": Removed, "kn_experience restore": Restored, "kn_idea create": ChangedIdea, "kn_idea update": ChangedIdea, "kn_idea list": IdeaList, "kn_intel learn": Learned, "kn_intel recall": Recalled, "kn_intel crossref": Crossref, "kn_intel context": Context, "kn_intel infer": InferredAnswers, "kn_intel related": Related, };

/**
 * All of a node.
 */
export type NodeDetails = { namespace: string, description: string | null, properties: unknown | null, tags: Array<string> | null, visibility: "workspace", 
/**
 * `manual`, `learn` or `import`.
 */
source_type: string, 
/**
 * As ISO 8601.
 */
created_at: string, updated_at: string | null, 
/**
 * The id of what it takes the place of; when it is added.
 */
supersedes?: string, _v: string, id: string, name: string, type: string, valid_from?: string, valid_to?: string, 
/**
 * The id of what says it better.
 */
superseded_by?: string, 
/**
 * From 0 to 1; the order.
 */
score?: number, ranked_by?: RankedBy, };

export type NodeItem = { _v: string, id: string, name: string, type: string, valid_from?: string, valid_to?: string, 
/**
 * The id of what says it better.
 */
superseded_by?: string, };

export type NodeList = { nodes: Array<ListedNode>, count: number, 
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
 * A project that was created or updated.
 */
export type ProjectSummary = { goals: Array<string>, id: string, name: string, phase: ProjectPhase, 
/**
 * Whether it is the one that is worked on.
 */
active: boolean, };

/**
 * All of one project where `project_id` was given.
 */
export type ProjectsResult = ProjectList | ProjectHead & ProjectDetails;

/**
 * What had faded, and is removed.
 */
export type Pruned = { pruned_count: number, pruned_ids: Array<string>, };

/**
 * What the place of an item depends on.
 */
export type RankedBy = { 
/**
 * How well its own words fit.
 */
text: number, 
/**
 * How well those of its neighbours do, in the graph or in time.
 */
near: number, 
/**
 * From 0 to 1: higher for what is newer, and for what has faded less.
 */
recency: number, confidence: number, 
/**
 * How near its meaning is, from 0 to 1, where texts are compared by meaning.
 */
meaning?: number, };

/**
 * What the memory has about something, nodes and experiences by turns.
 */
export type Recalled = { results: Array<RecalledItem>, count: number, 
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

export type RecalledExperience = { id: string, type: ExperienceType, content: string, confidence: ExperienceConfidence, 
/**
 * From 0 to 1, at the time that was asked for.
 */
relevance: number, valid_from?: string, valid_to?: string, 
/**
 * The id of what says it better.
 */
superseded_by?: string, 
/**
 * From 0 to 1; the order.
 */
score?: number, ranked_by?: RankedBy, };

export type RecalledItem = { "source": "node" } & RecalledNode | { "source": "experience" } & RecalledExperience;

export type RecalledNode = { id: string, name: string, type: string, description: string | null, 
/**
 * 1: nodes do not fade.
 */
relevance: number, valid_from?: string, valid_to?: string, 
/**
 * The id of what says it better.
 */
superseded_by?: string, 
/**
 * From 0 to 1; the order.
 */
score?: number, ranked_by?: RankedBy, };

/**
 * The nodes around one, the nearest first.
 */
export type Related = { results: Array<RelatedItem>, count: number, 
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

export type RelatedItem = { node: NodeItem, 
/**
 * How many edges away it is.
 */
depth: number, 
/**
 * The edge by which it was reached.
 */
edge: EdgeItem, };

/**
 * What was removed.
 */
export type Removed = { "removed": "node", id: string, } | { "removed": "edge", source_id: string, target_id: string, } | { "removed": "experience", id: string, };

/**
 * What is as it was before it was removed or superseded.
 */
export type Restored = { "restored": "node", id: string, } | { "restored": "edge", source_id: string, target_id: string, } | { "restored": "experience", id: string, };

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

/**
 * What was saved.
 */
export type SavedExperience = { id: string, type: ExperienceType, confidence: ExperienceConfidence, 
/**
 * How fast it fades: the natural logarithm of 2, divided by the days in which it loses half its relevance.
 */
decay_rate: number, 
/**
 * Its relevance: 1, since it is new.
 */
score: number, 
/**
 * It was known, and is as fresh as if it were new.
 */
strengthened?: boolean, 
/**
 * How often it was learned.
 */
times?: number, 
/**
 * The id of what it takes the place of.
 */
supersedes?: string, };

export type StoredAs = "node" | "experience";

export type UnreadBook = { workspace: string, why: string, };

export type ProjectHead = { goals: Array<string>, stakeholders: Array<string>, success_metrics: Array<string>, id: string, name: string, phase: ProjectPhase, 
/**
 * Whether it is the one that is worked on.
 */
active: boolean, };

export type LogItem = { id: string, type: LogKind, action: string, 
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

/**
 * What every reply has beside its own.
 */
export type MemoryEnvelope = { 
/**
 * The version of the form of replies.
 */
_v: string, };

/**
 * The reply to a call that failed.
 */
export type MemoryFailed = { 
/**
 * Why, a sentence.
 */
error: string, };

export type NodeRecord = { id: string, 
/**
 * Higher for what was told later; no two nodes have the same.
 */
number: number, namespace: string, type: string, name: string, description: string | null, properties: unknown | null, tags: Array<string> | null, 
/**
 * `manual`, `learn` or `import`.
 */
source_type: string, updated_at: number | null, 
/**
 * The node that this one takes the place of.
 */
supersedes?: string, life: RecordLife, };

/**
 * When something holds. Times are milliseconds since 1970.
 */
export type RecordLife = { created_at: number, 
/**
 * From when on it is true, where that is not when it was told.
 */
valid_from?: number, 
/**
 * When it ceases to be true.
 */
valid_to?: number, removed_at?: number, 
/**
 * What says it better, and since when.
 */
superseded_by?: [string, number], };

export type EdgeRecord = { source_id: string, target_id: string, type: string, 
/**
 * No two edges have the same.
 */
number: number, weight: number, properties: unknown | null, life: RecordLife, };

export type ExperienceRecord = { id: string, 
/**
 * No two experiences have the same.
 */
number: number, namespace: string, type: ExperienceType, content: string, context: string | null, confidence: ExperienceConfidence, tags: Array<string>, 
/**
 * When it was told last: it fades from then on.
 */
learned_at: number, 
/**
 * How often it was told.
 */
times: number, 
/**
 * The node that was learned with it.
 */
node_id?: string, supersedes?: string, life: RecordLife, };
