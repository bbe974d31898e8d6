/** The data that a workflow works on. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };
/** The values that nodes read and change, by name. */
export type State = { [key: string]: Json };

/** Where an interrupted run resumes. JSON, except for BigInts in its state; it contains whatever else the run needs. */
export interface Checkpoint {
  /** As it was when the run stopped. */
  state: State;
}
