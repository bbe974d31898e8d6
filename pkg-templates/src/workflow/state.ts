/** What a workflow works on. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };
export type State = { [key: string]: Json };

/** Where an interrupted run goes on. JSON, but for BigInts in its state; beside the state it has what the run needs. */
export interface Checkpoint {
  state: State;
}
