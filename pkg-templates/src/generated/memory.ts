// Generated from the crates by `cargo run -p hornbook-generate`.

/**
 * The result of an import.
 */
export type MemoryImport = { added: number, replaced: number, 
/**
 * Records that were already there unchanged.
 */
unchanged: number, 
/**
 * How many lines were not imported.
 */
not_taken: number, 
/**
 * The first of them, by line.
 */
problems: Array<MemoryImportProblem>, 
/**
 * How many more there are.
 */
problems_left_out?: number, 
/**
 * The warnings of the book's rules.
 */
warnings?: Array<string>, };

/**
 * A line that was not imported.
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
 * The id of the node that the idea is linked to; `null` if there is no such node.
 */
linked_to?: string | null, 
/**
 * Why it is not linked.
 */
link_error?: string, };

/**
 * The part of the memory that the given words are about.
 */
export type Context = { nodes: Array<ContextNode>, experiences: Array<ContextExperience>, 
/**
 * The edges between the nodes, as many as fit; with `detail: full`.
 */
edges?: Array<EdgeItem>, 
/**
 * The words asked about.
 */
query: string, detail: Detail, count: number, 
/**
 * How many there are, if all were examined.
 */
total?: number, total_at_least?: number, 
/**
 * How many requested items did not fit in the budget, and what to do about it.
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
 * From 0 to 1, at the requested time.
 */
relevance: number, confidence?: ExperienceConfidence, tags?: Array<string>, context?: string | null, valid_from?: string, valid_to?: string, 
/**
 * The id of what supersedes it.
 */
superseded_by?: string, 
/**
 * From 0 to 1; results are sorted by it.
 */
score?: number, ranked_by?: RankedBy, };

export type ContextNode = { id: string, name: string, type: string, confidence: number, description?: string | null, tags?: Array<string> | null, properties?: unknown | null, valid_from?: string, valid_to?: string, 
/**
 * The id of what supersedes it.
 */
superseded_by?: string, 
/**
 * From 0 to 1; results are sorted by it.
 */
score?: number, ranked_by?: RankedBy, };

/**
 * What this book and others have on a problem.
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
 * How many there are, if all were examined.
 */
total?: number, total_at_least?: number, 
/**
 * How many requested items did not fit in the budget, and what to do about it.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

export type CrossrefItem = { 
/**
 * The book's name; `default` is this one.
 */
workspace: string, } & ({ "source": "node" } & RecalledNode | { "source": "experience" } & RecalledExperience);

export type Detail = "summary" | "full";

/**
 * A new edge.
 */
export type EdgeDetails = { properties: unknown | null, created_by: null, 
/**
 * As ISO 8601.
 */
created_at: string, 
/**
 * What to know of it, if its nodes begin later than it does.
 */
note?: string, source_id: string, target_id: string, type: string, 
/**
 * From 0 to 1.
 */
weight: number, valid_from?: string, valid_to?: string, 
/**
 * The id of what supersedes it.
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
 * The id of what supersedes it.
 */
superseded_by?: string, };

/**
 * How sure the agent was. The less sure, the faster it fades.
 */
export type ExperienceConfidence = "low" | "medium" | "high";

export type ExperienceItem = { id: string, type: ExperienceType, content: string, confidence: ExperienceConfidence, 
/**
 * From 0 to 1, at the requested time.
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
 * The id of what supersedes it.
 */
superseded_by?: string, 
/**
 * From 0 to 1; results are sorted by it.
 */
score?: number, ranked_by?: RankedBy, };

export type ExperienceList = { experiences: Array<ExperienceItem>, count: number, 
/**
 * How many there are, if all were examined.
 */
total?: number, total_at_least?: number, 
/**
 * How many requested items did not fit in the budget, and what to do about it.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

/**
 * The kind of an experience.
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
 * Its source, or its confidence.
 */
by?: string, };

/**
 * The size of the memory.
 */
export type GraphStatus = { nodes: number, edges: number, experiences: number, projects: number, ideas: number, 
/**
 * The number of nodes in each of the first thirty namespaces.
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
 * How many there are, if all were examined.
 */
total?: number, total_at_least?: number, 
/**
 * How many requested items did not fit in the budget, and what to do about it.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

export type IdeaStatus = "draft" | "evaluating" | "approved" | "implementing" | "done" | "archived";

export type InferredAnswer = { 
/**
 * Prolog text, by variable name.
 */
bindings: { [key in string]: string }, 
/**
 * True of an answer that is neither true nor false, by the well-founded semantics of tabled negation.
 */
undefined?: boolean, 
/**
 * The confidence of the weakest fact, from 0 to 1.
 */
confidence: number, 
/**
 * One step per line, indented by two spaces per level: the goal, and why it holds.
 */
proof: Array<string>, facts: Array<FactItem>, rules: Array<RuleItem>, };

/**
 * What follows from the memory: the answers to a goal.
 */
export type InferredAnswers = { goal: string, answers: Array<InferredAnswer>, count: number, 
/**
 * How many there are, if all were examined.
 */
total?: number, total_at_least?: number, 
/**
 * How many requested items did not fit in the budget, and what to do about it.
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
 * The node that stands for it, if it is stored as one.
 */
node_id: string | null, experience_id: string, type: ExperienceType, confidence: ExperienceConfidence, 
/**
 * It was already known, and is now as fresh as if it were new.
 */
strengthened?: boolean, 
/**
 * How often it was learned.
 */
times?: number, 
/**
 * The id of what it supersedes.
 */
supersedes?: string, };

/**
 * A node in a list: in full with `detail: full`.
 */
export type ListedNode = NodeItem | NodeDetails;

export type LogKind = "progress" | "failure";

/**
 * A new entry of a log.
 */
export type Logged = { id: string, project_id: string, type: LogKind, action: string, };

/**
 * The reply of each action, by tool and action.
 */
export type MemoryReplies = { "kn_graph add": NodeDetails, "kn_graph connect": EdgeDetails, "kn_graph query": NodeList, "kn_graph update": NodeDetails, "kn_graph remove": Removed, "kn_graph restore": Restored, "kn_graph status": GraphStatus, "kn_project create": ProjectSummary, "kn_project update": ProjectSummary, "kn_project remove": Removed, "kn_project restore": Restored, "kn_project list": ProjectsResult, "kn_project log": Logged, "kn_experience save": SavedExperience, "kn_experience search": ExperienceList, "kn_experience prune": Pruned, "kn_experience remove": Removed, "kn_experience restore": Restored, "kn_idea create": ChangedIdea, "kn_idea update": ChangedIdea, "kn_idea remove": Removed, "kn_idea restore": Restored, "kn_idea list": IdeaList, "kn_intel learn": Learned, "kn_intel recall": Recalled, "kn_intel crossref": Crossref, "kn_intel context": Context, "kn_intel infer": InferredAnswers, "kn_intel related": Related, };

/**
 * A node in full.
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
 * The id of what it supersedes; only when it is added.
 */
supersedes?: string, _v: string, id: string, name: string, type: string, valid_from?: string, valid_to?: string, 
/**
 * The id of what supersedes it.
 */
superseded_by?: string, 
/**
 * From 0 to 1; results are sorted by it.
 */
score?: number, ranked_by?: RankedBy, };

export type NodeItem = { _v: string, id: string, name: string, type: string, valid_from?: string, valid_to?: string, 
/**
 * The id of what supersedes it.
 */
superseded_by?: string, };

export type NodeList = { nodes: Array<ListedNode>, count: number, 
/**
 * How many there are, if all were examined.
 */
total?: number, total_at_least?: number, 
/**
 * How many requested items did not fit in the budget, and what to do about it.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

export type ProjectItem = { id: string, name: string, phase: ProjectPhase, 
/**
 * Whether it is the active project.
 */
active: boolean, };

export type ProjectList = { projects: Array<ProjectItem>, count: number, 
/**
 * How many there are, if all were examined.
 */
total?: number, total_at_least?: number, 
/**
 * How many requested items did not fit in the budget, and what to do about it.
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
 * Whether it is the active project.
 */
active: boolean, };

/**
 * One project in full if `project_id` was given.
 */
export type ProjectsResult = ProjectList | ProjectHead & ProjectDetails;

/**
 * What had faded and was removed.
 */
export type Pruned = { pruned_count: number, pruned_ids: Array<string>, };

/**
 * What the rank of an item depends on.
 */
export type RankedBy = { 
/**
 * How well its own words match.
 */
text: number, 
/**
 * How well its neighbors in the graph or in time match.
 */
near: number, 
/**
 * From 0 to 1: higher for what is newer, and for what has faded less.
 */
recency: number, confidence: number, 
/**
 * How near its meaning is, from 0 to 1, if texts are compared by meaning.
 */
meaning?: number, };

/**
 * What the memory has on a topic, alternating between nodes and experiences.
 */
export type Recalled = { results: Array<RecalledItem>, count: number, 
/**
 * How many there are, if all were examined.
 */
total?: number, total_at_least?: number, 
/**
 * How many requested items did not fit in the budget, and what to do about it.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

export type RecalledExperience = { id: string, type: ExperienceType, content: string, confidence: ExperienceConfidence, 
/**
 * From 0 to 1, at the requested time.
 */
relevance: number, valid_from?: string, valid_to?: string, 
/**
 * The id of what supersedes it.
 */
superseded_by?: string, 
/**
 * From 0 to 1; results are sorted by it.
 */
score?: number, ranked_by?: RankedBy, };

export type RecalledItem = { "source": "node" } & RecalledNode | { "source": "experience" } & RecalledExperience;

export type RecalledNode = { id: string, name: string, type: string, description: string | null, 
/**
 * 1: nodes do not fade.
 */
relevance: number, valid_from?: string, valid_to?: string, 
/**
 * The id of what supersedes it.
 */
superseded_by?: string, 
/**
 * From 0 to 1; results are sorted by it.
 */
score?: number, ranked_by?: RankedBy, };

/**
 * The nodes around one, nearest first.
 */
export type Related = { results: Array<RelatedItem>, count: number, 
/**
 * How many there are, if all were examined.
 */
total?: number, total_at_least?: number, 
/**
 * How many requested items did not fit in the budget, and what to do about it.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

export type RelatedItem = { node: NodeItem, 
/**
 * Its distance in edges.
 */
depth: number, 
/**
 * The edge that led to it.
 */
edge: EdgeItem, };

/**
 * What was removed.
 */
export type Removed = { "removed": "node", id: string, 
/**
 * The experience that was learned with it, and is removed, too.
 */
experience_id?: string, } | { "removed": "edge", source_id: string, target_id: string, 
/**
 * How many other intervals of the relation are left, if any.
 */
left?: number, } | { "removed": "experience", id: string, 
/**
 * The node that was learned with it, and is removed, too.
 */
node_id?: string, } | { "removed": "project", id: string, } | { "removed": "idea", id: string, };

/**
 * What was restored after it was removed or superseded.
 */
export type Restored = { "restored": "node", id: string, 
/**
 * The experience that was removed with it, and is restored, too.
 */
experience_id?: string, } | { "restored": "edge", source_id: string, target_id: string, } | { "restored": "experience", id: string, 
/**
 * The node that was removed with it, and is restored, too.
 */
node_id?: string, } | { "restored": "project", id: string, } | { "restored": "idea", id: string, };

/**
 * A rule of the book that an answer rests on.
 */
export type RuleItem = { 
/**
 * The id of its clause.
 */
rule: number, text: string, 
/**
 * Its file and line, or other origin.
 */
from: string, };

/**
 * A saved experience.
 */
export type SavedExperience = { id: string, type: ExperienceType, confidence: ExperienceConfidence, 
/**
 * The decay rate: the natural logarithm of 2, divided by the half-life in days.
 */
decay_rate: number, 
/**
 * Its relevance: 1, since it is new.
 */
score: number, 
/**
 * It was already known, and is now as fresh as if it were new.
 */
strengthened?: boolean, 
/**
 * How often it was learned.
 */
times?: number, 
/**
 * The id of what it supersedes.
 */
supersedes?: string, };

export type StoredAs = "node" | "experience";

export type UnreadBook = { workspace: string, why: string, };

export type ProjectHead = { goals: Array<string>, stakeholders: Array<string>, success_metrics: Array<string>, id: string, name: string, phase: ProjectPhase, 
/**
 * Whether it is the active project.
 */
active: boolean, };

export type LogItem = { id: string, type: LogKind, action: string, 
/**
 * As ISO 8601.
 */
created_at: string, result?: string, next_step?: string, };

/**
 * One project with its log, newest entry first.
 */
export type ProjectDetails = { log: Array<LogItem>, count: number, 
/**
 * How many there are, if all were examined.
 */
total?: number, total_at_least?: number, 
/**
 * How many requested items did not fit in the budget, and what to do about it.
 */
left_out?: number, hint?: string, 
/**
 * Where the next page begins.
 */
next_offset?: number, };

/**
 * The fields that every reply has besides its own.
 */
export type MemoryEnvelope = { 
/**
 * The version of the reply format.
 */
_v: string, };

/**
 * The reply to a call that failed.
 */
export type MemoryFailed = { 
/**
 * Why, as a sentence.
 */
error: string, };

export type NodeRecord = { id: string, 
/**
 * Higher for later records; unique among nodes.
 */
number: number, namespace: string, type: string, name: string, description: string | null, properties: unknown | null, tags: Array<string> | null, 
/**
 * `manual`, `learn` or `import`.
 */
source_type: string, updated_at: number | null, 
/**
 * The node that this one supersedes.
 */
supersedes?: string, life: RecordLife, };

/**
 * When something holds. Times are milliseconds since 1970.
 */
export type RecordLife = { created_at: number, 
/**
 * When it became true, if other than when it was recorded.
 */
valid_from?: number, 
/**
 * When it stops being true.
 */
valid_to?: number, removed_at?: number, 
/**
 * The id of what supersedes it, and since when.
 */
superseded_by?: [string, number], };

export type EdgeRecord = { source_id: string, target_id: string, type: string, 
/**
 * Unique among edges.
 */
number: number, weight: number, properties: unknown | null, 
/**
 * What tells it from the first edge of the same name: when it begins, in milliseconds since 1970, or a
 * little later if another one begins at the same time. The first edge has none.
 */
since?: number, life: RecordLife, };

export type ExperienceRecord = { id: string, 
/**
 * Unique among experiences.
 */
number: number, namespace: string, type: ExperienceType, content: string, context: string | null, confidence: ExperienceConfidence, tags: Array<string>, 
/**
 * When it was last recorded; it fades from then on.
 */
learned_at: number, 
/**
 * How often it was recorded.
 */
times: number, 
/**
 * The node that was learned with it.
 */
node_id?: string, supersedes?: string, life: RecordLife, };
