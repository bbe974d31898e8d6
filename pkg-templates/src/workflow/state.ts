/** The data that a workflow works on. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };
export type State = { [key: string]: Json };

/** Where an interrupted run resumes. JSON, except for BigInts in its state; it contains whatever else the run needs. */
export interface Checkpoint {
  state: State;
}
