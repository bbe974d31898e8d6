/** What `hornbook` exports besides `openBook`. */
export {
  Book,
  type BookTool,
  type Clauses,
  Draft,
  type Imported,
  type ImportOptions,
  type WhyOptions,
} from './book.js';
export { bundleOf, type Bundle, type BundledFile, type Deployed } from './bundle.js';
export type { ChangeOptions } from './change.js';
export { consequences, type Consequence, type ConsequenceOptions } from './consequences.js';
export type { Decision } from './draft.js';
export { HornbookError, type FailedClause } from './error.js';
export { Goal, prolog, type Quotable } from './goal.js';
export { fromJson, toJson, type Json } from './json.js';
export type { BookOptions } from './opening.js';
export type { FunctionSource, HttpSource, ToolSource } from '../node/data/asked.js';
export type { HostPredicate, Solution } from './predicates.js';
export { Proof, type ProofStep } from './proof.js';
export { Query, type Answer, type Priority, type QueryOptions } from './query.js';
export type { SchemaIssue, SchemaOutput, SchemaResult, StandardSchema } from './schema.js';
export type { FailedTest, TestOptions, TestRun } from './tests.js';
export type { Row, UpsertOptions, Upserted } from './upsert.js';
export { GoalWatch, type Watched, type WatchOptions } from './watch.js';
export {
  Atom,
  Float,
  Rational,
  Term,
  Variable,
  atom,
  type Bindings,
  type Value,
  type ValueObject,
} from './values.js';
export type {
  Changes,
  Decided,
  FileInfo,
  ImportedTable,
  Proposal,
  ProposedCell,
  ProposedClause,
  ProposedOperation,
  Reversed,
  Revisions,
} from '../full/hornbook.js';
