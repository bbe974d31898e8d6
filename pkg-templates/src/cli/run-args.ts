/** The command lines that run something: `hornbook flow`, `hornbook run` and `hornbook eval`. */
import { readJson } from '../workflow/json.js';
import type { Evaluation } from './eval.js';
import type { Flow } from './flow.js';
import type { Values } from './parse.js';
import type { Program } from './run.js';
import { UsageError } from './usage.js';
import { addresses, fromZero, limits, oneOf, outages, positive, pricesOf, settings, split } from './values.js';

const DATA_WITHOUT_BOOK = '--data needs the book whose goals ask it: --book PATH';

/** The command line of `hornbook flow`. */
export function flowOf(
  rest: string[],
  values: Values,
  timeoutMs: number | undefined,
  environment: NodeJS.ProcessEnv,
): Flow {
  const [file, ...others] = rest;
  const { book, resume, from, runs = false, watch = false, follow = false, mermaid = false } = values;
  const { interrupt, signal, status, cancel, 'forget-days': forgetDays } = values;
  const ofBook = { resume, runs: runs || undefined, cancel, 'forget-days': forgetDays };
  if (values.data && book === undefined) throw new UsageError(DATA_WITHOUT_BOOK);
  const needy = Object.entries(ofBook).find(([, value]) => value !== undefined);
  if (book === undefined && needy)
    throw new UsageError(`--${needy[0]} needs the book that keeps the runs: --book PATH`);
  if (status !== undefined && (!runs || resume !== undefined))
    throw new UsageError('--status is that of the runs to list: --runs --status waiting');
  for (const [name, value] of Object.entries({ interrupt, signal }))
    if (value !== undefined && (resume === undefined || runs || from !== undefined))
      throw new UsageError(`--${name} is for a run: --resume RUN --${name} ...`);
  const tidies = cancel !== undefined || forgetDays !== undefined;
  if (tidies && (file !== undefined || resume !== undefined || runs || follow || watch || (cancel && forgetDays)))
    throw new UsageError('--cancel RUN and --forget-days DAYS stand alone with --book PATH');
  if (from !== undefined && (resume === undefined || runs))
    throw new UsageError('--from is a checkpoint of a run: --resume RUN --from CHECKPOINT');
  if (others.length > 0 || (file === undefined && resume === undefined && !runs && !tidies))
    throw new UsageError('hornbook flow takes one file: hornbook flow FILE --state KEY=VALUE');
  if (watch && (file === undefined || resume !== undefined || runs || mermaid))
    throw new UsageError('--watch runs a file again when it changes: hornbook flow FILE --watch');
  if (
    follow &&
    (file === undefined || book === undefined || resume !== undefined || runs || watch || mermaid || values.state)
  )
    throw new UsageError('--follow does what the workflow does by itself: hornbook flow FILE --book PATH --follow');
  const state = settings('--state', values.state, readJson) as Flow['state'];
  const checkpoint = from === undefined ? undefined : positive('--from', from);
  const { model = [], script, mcp, 'tool-file': toolFile } = values;
  oneOf(model, script);
  const models = { models: model, baseUrl: values['base-url'], script };
  const forget = forgetDays === undefined ? undefined : positive('--forget-days', forgetDays);
  const own = { interrupt, signal, status, cancel, forgetDays: forget };
  const asked = { file, state, timeoutMs, book, resume, from: checkpoint, runs, watch, follow, mermaid, ...own };
  return { ...asked, mcp, models, toolFile, data: addresses(values.data, environment) };
}

/** That of `hornbook run` and `hornbook eval`. */
export function programOf(
  command: 'run' | 'eval',
  rest: string[],
  values: Values,
  { timeoutMs, workspace, data }: Pick<Program, 'timeoutMs' | 'workspace' | 'data'>,
): { kind: 'run'; program: Program & { replay: string | undefined } } | { kind: 'eval'; evaluation: Evaluation } {
  const [file, ...others] = rest;
  const [cases, ...more] = others;
  if (command === 'run' && (file === undefined || others.length > 0))
    throw new UsageError('hornbook run takes one file: hornbook run FILE --param NAME=VALUE');
  if (command === 'eval' && (cases === undefined || more.length > 0))
    throw new UsageError('hornbook eval takes a program and its cases: hornbook eval FILE.dml CASES.jsonl');
  if (values.data && values.book === undefined) throw new UsageError(DATA_WITHOUT_BOOK);
  const { model = [], script } = values;
  oneOf(model, script);
  const params = settings('--param', values.param);
  const prices = pricesOf(values.price);
  const maxCost = values['max-cost'] === undefined ? undefined : fromZero('--max-cost', values['max-cost']);
  if (maxCost !== undefined && Object.keys(prices).length === 0)
    throw new UsageError('--max-cost needs the prices of the models: --price IN,OUT, dollars for a million tokens');
  const program: Program = {
    file: file!,
    params,
    paramTexts: Object.fromEntries((values.param ?? []).map((setting) => split(setting))),
    models: model,
    temperature: values.temperature === undefined ? undefined : fromZero('--temperature', values.temperature),
    baseUrl: values['base-url'],
    script,
    toolFile: values['tool-file'],
    mcp: values.mcp,
    timeoutMs,
    callTimeoutMs:
      values['call-timeout'] === undefined ? undefined : positive('--call-timeout', values['call-timeout']),
    retries: values.retries === undefined ? undefined : fromZero('--retries', values.retries),
    outages: outages(values.outages),
    limits: limits(values.limit),
    maxCost,
    prices,
    cache: values.cache,
    book: values.book,
    data,
    workspace,
    record: values.record,
  };
  if (command === 'run') return { kind: 'run', program: { ...program, replay: values.replay } };
  const repeat = values.repeat === undefined ? 1 : positive('--repeat', values.repeat);
  const jobs = values.jobs === undefined ? 4 : positive('--jobs', values.jobs);
  return {
    kind: 'eval',
    evaluation: { ...program, cases: cases!, repeat, jobs },
  };
}
