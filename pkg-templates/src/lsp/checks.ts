/** Checks of programs and workflows, wherever their engines run. */
import { createDeepClause, type DeepClause } from '../dml.js';
import type { Hornbook, Host } from '../full/hornbook.js';
import { Workflow, WorkflowLoadError, type LoadOptions, type NodeCode } from '../workflow.js';
import { CodeReader } from './node-code.js';
import type { Flaw, Ground } from './ground.js';

/** Languages that a workflow may name: whether they are installed does not matter to a check of its text. */
const later = (): never => {
  throw new Error('A check runs no code.');
};
const LANGUAGES = { python: later, lua: later, javascript: later };

/**
 * @param reader reads the Prolog of nodes
 * @param languages read the code of nodes in other languages; that of others is not read
 */
export function checksOn(
  host: Host,
  reader: () => Hornbook | Promise<Hornbook>,
  languages: NonNullable<LoadOptions['languages']> = {},
): Pick<Ground, 'checkDml' | 'checkWorkflow'> & { close(): void } {
  let dml: Promise<DeepClause> | undefined;
  const code = new CodeReader(reader, languages);
  return {
    async checkDml(text): Promise<Flaw[]> {
      dml ??= createDeepClause({ host });
      const findings = await (await dml).checkDML(text);
      return findings.map(({ line, column, message }) => ({ line: line - 1, column, message }));
    },
    async checkWorkflow(text): Promise<Flaw[]> {
      // Actions are registered by the host that runs it, so any name may exist.
      const uses = [...text.matchAll(/^[ \t]*(?:-[ \t]*)?(?:uses|action):\s*["']?([\w.-]+)/gm)].map(
        ([, name]) => name!,
      );
      const actions = Object.fromEntries(uses.map((name) => [name, () => undefined]));
      let codes: NodeCode[];
      try {
        // Files are not read: this text is a workflow, and loading looks at no program.
        const files = () => 'nodes: [{ name: unread }]';
        const dml = { runDML: later };
        const workflow = await Workflow.load(text, { host, actions, languages: LANGUAGES, files, dml });
        codes = workflow.codes();
        workflow.close();
      } catch (error) {
        if (!(error instanceof WorkflowLoadError)) return [{ line: 0, column: 0, message: (error as Error).message }];
        return [{ line: error.line - 1, column: error.column, message: error.message }];
      }
      const found = await Promise.all(codes.map((one) => code.flaws(one)));
      return found.flat();
    },
    close: () => code.close(),
  };
}
