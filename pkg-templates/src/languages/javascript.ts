/** JavaScript nodes: QuickJS in its own WebAssembly, with a new realm for each node and nothing of the host in it. */
import type { RunCode } from './serve.js';

const MEMORY_BYTES = 256 << 20;
const STACK_BYTES = 1 << 20;

/**
 * Evaluates to a function of the code, the given values as JSON, and the key that marks an integer too large for a
 * number. It returns JSON: `result`, or `error` and the `state` as the code left it. A value that JSON cannot represent
 * is an error, never dropped silently.
 */
const PRELUDE = `(() => {
  const { stringify, parse } = JSON, { isArray } = Array, { keys } = Object, { isFinite, isSafeInteger } = Number;
  const Code = Function, Big = BigInt, Text = String, Failure = Error, { Map, Set } = globalThis;
  const write = (value, path, levels) => {
    if (levels === 0) throw new Failure(path + ' nests deeper than 100 levels');
    if (value === null) return 'null';
    switch (typeof value) {
      case 'boolean': return Text(value);
      case 'string': return stringify(value);
      case 'bigint': return isSafeInteger(Number(value)) ? Text(value) : '{"$integer":"' + value + '"}';
      case 'number':
        if (!isFinite(value)) throw new Failure(path + ' is ' + value + ', which JSON cannot hold');
        return stringify(value);
      case 'object': break;
      default: throw new Failure(path + ' is ' + (value === undefined ? 'undefined' : 'a ' + typeof value) + ', which JSON cannot hold');
    }
    // By operators alone: what the code did to the methods of arrays and texts is not to be met here.
    if (isArray(value)) {
      let items = '';
      for (let at = 0; at < value.length; at += 1)
        items += (at > 0 ? ',' : '') + write(value[at], path + '[' + at + ']', levels - 1);
      return '[' + items + ']';
    }
    if (typeof value.then === 'function') throw new Failure(path + ' is a promise: the code of a node gives its values at once');
    if (value instanceof Map || value instanceof Set) throw new Failure(path + ' is a Map or a Set, which JSON cannot hold');
    const names = keys(value);
    const mistakable = names.length === 1 && (names[0] === '$integer' || names[0] === '$object');
    let members = '';
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at];
      members += (at > 0 ? ',' : '') + stringify(name) + (mistakable ? ',' : ':') + write(value[name], path + '.' + name, levels - 1);
    }
    return mistakable ? '{"$object":[[' + members + ']]}' : '{' + members + '}';
  };
  return (code, given, mark) => {
    const whole = (_, value) => (value !== null && typeof value === 'object' && mark in value ? Big(value[mark]) : value);
    const { state, variables, parallel_results } = parse(given, whole);
    try {
      const run = new Code('state', 'variables', 'parallel_results', code);
      const result = run(state, variables, parallel_results);
      if (result === null || result === undefined) return '{"result":{}}';
      if (typeof result !== 'object' || isArray(result))
        throw new Failure('the code of a node returns an object of values for the state, not ' + (isArray(result) ? 'an array' : 'a ' + typeof result));
      return '{"result":' + write(result, 'the result', 100) + '}';
    } catch (error) {
      const said = error instanceof Failure ? error.name + ': ' + error.message : 'threw ' + Text(error);
      let left = '';
      try { left = ',"state":' + write(state, 'the state', 100); } catch {}
      return '{"error":' + stringify(said) + left + '}';
    }
  };
})()`;

/** Replace integers that a number cannot hold exactly by objects with the member `mark`. */
function marked(json: string, mark: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `{"${mark}":"${token}"}` : token,
  );
}

/** The part of QuickJS that is used. */
interface Handle {
  dispose(): void;
}
interface Context {
  undefined: Handle;
  evalCode(code: string): Outcome;
  newString(text: string): Handle;
  callFunction(callee: Handle, self: Handle, ...given: Handle[]): Outcome;
  dump(handle: Handle): unknown;
  dispose(): void;
}
type Outcome = { value: Handle; error?: undefined } | { error: Handle };
interface Runtime {
  setMemoryLimit(bytes: number): void;
  setMaxStackSize(bytes: number): void;
  newContext(): Context;
  dispose(): void;
}
export interface QuickJs {
  newRuntime(): Runtime;
}
export interface QuickJsModule {
  getQuickJS(): Promise<QuickJs>;
}

export async function javascript({ getQuickJS }: QuickJsModule): Promise<RunCode> {
  const quickjs = await getQuickJS();
  return (code, given) => runJavaScript(quickjs, code, given);
}

/**
 * Run the code of a node; its JSON input and output are described at {@link CodeRunner}. Throws if the code could not
 * be run.
 */
function runJavaScript(quickjs: QuickJs, code: string, given: string): string {
  const runtime = quickjs.newRuntime();
  runtime.setMemoryLimit(MEMORY_BYTES);
  runtime.setMaxStackSize(STACK_BYTES);
  const context = runtime.newContext();
  const handles: Handle[] = [];
  const kept = (outcome: Outcome): Handle => {
    handles.push('value' in outcome ? outcome.value : outcome.error);
    if ('value' in outcome) return outcome.value;
    const thrown = context.dump(outcome.error) as { name?: string; message?: string } | string;
    throw new Error(typeof thrown === 'object' ? `${thrown.name}: ${thrown.message}` : String(thrown));
  };
  const text = (value: string): Handle => {
    const handle = context.newString(value);
    handles.push(handle);
    return handle;
  };
  try {
    const mark = crypto.randomUUID();
    const callee = kept(context.evalCode(PRELUDE));
    const said = context.callFunction(callee, context.undefined, text(code), text(marked(given, mark)), text(mark));
    return context.dump(kept(said)) as string;
  } finally {
    for (const handle of handles) handle.dispose();
    context.dispose();
    runtime.dispose();
  }
}
