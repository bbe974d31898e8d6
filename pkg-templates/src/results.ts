/** The arguments and structured results of tools. */
import type { MemoryEnvelope, MemoryFailed, MemoryReplies } from './generated/memory.js';
import type { Notices, Failed, OperationResults, ToolArguments, ToolResults } from './generated/tools.js';

/** The arguments of a tool. `Action` is the action or operation that the call names, if the tool has several. */
export type ToolValues<Name extends string, Action extends string = string> = (Name extends keyof ToolArguments
  ? ToolArguments[Name]
  : Record<string, unknown>) & { action?: Action; operation?: Action };

/** The structured result of a call that did what it was asked. */
export type ToolData<Name extends string, Action extends string> = Notices &
  (`${Name} ${Action}` extends infer Call
    ? [Call] extends [never]
      ? ByName<Name>
      : Call extends keyof MemoryReplies
        ? MemoryEnvelope & MemoryReplies[Call]
        : Call extends keyof OperationResults
          ? OperationResults[Call]
          : ByName<Name>
    : never);

/** The result of a tool that has no actions, or whichever action it was. */
type ByName<Name extends string> = Name extends keyof ToolResults ? ToolResults[Name] : Record<string, unknown>;

/** The structured result of a call that failed. */
export type ToolFailed<Name extends string> = Name extends `kn_${string}` ? MemoryEnvelope & MemoryFailed : Failed;
