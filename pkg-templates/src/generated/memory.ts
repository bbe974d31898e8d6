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
