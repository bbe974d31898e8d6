// Generated from the crates by `cargo run -p hornbook-generate`.

/** What the tools take, by their names. */
export interface ToolArguments {
  clauses: {
    /** Prolog text */
    clauses: string | string[];
    /** the clause that goes */
    old?: string;
    operation: 'assert' | 'retract' | 'replace';
  };
  files: {
    filename?: string;
    from?: number;
    operation: 'import' | 'unimport' | 'list';
    /** import: contents */
    text?: string;
  };
  workspace: {
    /** other processes' too */
    all?: boolean;
    from?: number;
    /** name/arity or clause; list_symbols: part of a name; why: goal */
    of?: string;
    operation: 'snapshot' | 'reset' | 'list_symbols' | 'list_queries' | 'undo' | 'redo' | 'history' | 'diff' | 'provenance' | 'why';
    steps?: number;
    to?: number;
  };
  query_start: {
    /** clauses for this query alone */
    assume?: string | string[];
    query: string;
    query_id?: string;
    take?: number;
    timeout_ms?: number;
    use_engine?: boolean;
  };
  query_next: {
    query_id?: string;
    take?: number;
    timeout_ms?: number;
  };
  query_close: {
    query_id?: string;
  };
  dml_run: {
    code: string;
    /** by name: for the variables of agent_main, param/2 and {Name} */
    params?: Record<string, unknown>;
    timeout_ms?: number;
  };
  kn_graph: {
    action: 'add' | 'connect' | 'query' | 'remove' | 'restore' | 'status';
    as_of?: string;
    budget?: number;
    description?: string;
    detail?: string;
    edge_type?: string;
    limit?: number;
    name?: string;
    namespace?: string;
    node_id?: string;
    node_type?: string;
    offset?: number;
    source_id?: string;
    stale?: boolean;
    supersedes?: string;
    tags?: string[];
    target_id?: string;
    text?: string;
    type?: string;
    valid_from?: string;
    valid_to?: string;
    weight?: number;
  };
  kn_project: {
    action: 'create' | 'update' | 'list' | 'log';
    action_text?: string;
    active_only?: boolean;
    budget?: number;
    goals?: string[];
    limit?: number;
    name?: string;
    next_step?: string;
    offset?: number;
    phase?: 'planning' | 'active' | 'paused' | 'done';
    project_id?: string;
    result?: string;
    set_active?: string;
    stakeholders?: string[];
    success_metrics?: string[];
    type?: 'progress' | 'failure';
  };
  kn_experience: {
    action: 'save' | 'search' | 'prune' | 'remove' | 'restore';
    as_of?: string;
    budget?: number;
    confidence?: 'high' | 'medium' | 'low';
    content?: string;
    context?: string;
    detail?: string;
    experience_id?: string;
    limit?: number;
    min_relevance?: number;
    namespace?: string;
    offset?: number;
    stale?: boolean;
    supersedes?: string;
    tags?: string[];
    text?: string;
    threshold?: number;
    type?: 'solution' | 'pattern' | 'decision' | 'workaround' | 'gotcha';
    valid_from?: string;
    valid_to?: string;
  };
  kn_idea: {
    action: 'create' | 'update' | 'list';
    budget?: number;
    category?: string;
    idea_id?: string;
    limit?: number;
    link_to?: string;
    offset?: number;
    score?: number;
    status?: 'draft' | 'evaluating' | 'approved' | 'implementing' | 'done' | 'archived';
    title?: string;
  };
  kn_intel: {
    action: 'learn' | 'recall' | 'crossref' | 'context' | 'infer' | 'related';
    as_of?: string;
    assume?: string[];
    budget?: number;
    confidence?: 'high' | 'medium' | 'low';
    content?: string;
    context?: string;
    depth?: number;
    detail?: string;
    edge_type?: string;
    goal?: string;
    keywords?: string;
    limit?: number;
    min_relevance?: number;
    namespace?: string;
    node_id?: string;
    offset?: number;
    problem?: string;
    stale?: boolean;
    supersedes?: string;
    tags?: string[];
    topic?: string;
    type?: 'solution' | 'pattern' | 'decision' | 'workaround' | 'gotcha';
    valid_from?: string;
    valid_to?: string;
  };
  workflow_run: {
    /** tokens of the reply; default 1000, at most 10000 */
    budget?: number;
    /** texts by name, of nodes with `type: dml, uses: NAME` */
    files?: Record<string, unknown>;
    /** to begin with */
    state?: Record<string, unknown>;
    yaml: string;
  };
  workflow_resume: {
    /** tokens of the reply; default 1000, at most 10000 */
    budget?: number;
    /** texts by name, of nodes with `type: dml, uses: NAME` */
    files?: Record<string, unknown>;
    /** a checkpoint: begins a new run there */
    from?: number;
    run: string;
    /** values to change first */
    state?: Record<string, unknown>;
    /** a changed text; default: that of the run */
    yaml?: string;
  };
  workflow_runs: {
    /** tokens of the reply; default 1000, at most 10000 */
    budget?: number;
    /** the state at this checkpoint */
    from?: number;
    /** of the state: only these */
    keys?: string[];
    run?: string;
  };
}
