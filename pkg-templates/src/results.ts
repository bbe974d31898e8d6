/** What a call of a tool takes, and what it gives as data. */
import type { MemoryEnvelope, MemoryFailed, MemoryReplies } from './generated/memory.js';
import type { Beside, Failed, OperationResults, ToolArguments, ToolResults } from './generated/tools.js';

/** What a tool takes. `Action` is the action or the operation that a call names, if the tool has several. */
export type ToolValues<Name extends string, Action extends string = string> = (Name extends keyof ToolArguments
  ? ToolArguments[Name]
  : Record<string, unknown>) & { action?: Action; operation?: Action };

/** What a tool gives where it did what it was asked. */
export type ToolData<Name extends string, Action extends string> = Beside &
  (`${Name} ${Action}` extends infer Call
    ? [Call] extends [never]
      ? ByName<Name>
      : Call extends keyof MemoryReplies
        ? MemoryEnvelope & MemoryReplies[Call]
        : Call extends keyof OperationResults
          ? OperationResults[Call]
          : ByName<Name>
    : never);

type ByName<Name extends string> = Name extends keyof ToolResults ? ToolResults[Name] : Record<string, unknown>;

/** What a tool gives where it did not. */
export type ToolFailed<Name extends string> = Name extends `kn_${string}` ? MemoryEnvelope & MemoryFailed : Failed;
