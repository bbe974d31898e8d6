/**
 * Functions of arithmetic that SWI-Prolog for WebAssembly gets wrong for large integers, rationals and floats: some
 * answers are false, one reads memory at an address that a float holds. They are reached through the table of C
 * functions; what is wrong of them is replaced there, and small integers take the way they always took.
 */
import type { SwiplModule } from '../swipl/glue.js';

/**
 * The places of the functions in the table of swipl.wasm 8.0.5; scripts/build.mjs checks the file's hash. Each takes
 * the places of its operands and of its result, and returns whether it succeeded.
 */
const AT = {
  sum: 29,
  difference: 30,
  quotient: 32,
  ratio: 37,
  negation: 38,
  lcm: 51,
  sign: 52,
  complement: 58,
  shift: 56,
  truncate: 62,
  fraction: 66,
  power: 91,
  powm: 102,
} as const;

/** The types of `number` in SWI-Prolog's pl-arith.h, 0 for small integers. The value is 8 bytes further. */
const [BIG, RATIONAL, FLOAT] = [1, 2, 3];
const VALUE = 8;
/** In the value of a large integer: its sign, 0 or 1. */
const SIGN = VALUE + 4;
/** The bytes of a `number`, and enough room for one. */
const SIZE = 88;
const ROOM = 128;

const REP_UTF8 = 0x100000;

type Function = (...places: number[]) => number;

/** Replace the functions in the table of an engine. `module` is known when the first goal runs. */
export function correctArithmetic(
  memory: WebAssembly.Memory,
  table: WebAssembly.Table,
  module: () => SwiplModule,
): void {
  const original = (name: keyof typeof AT) => table.get(AT[name]) as Function;
  const [sum, difference, shift] = [original('sum'), original('difference'), original('shift')];
  const [quotient, ratio] = [original('quotient'), original('ratio')];
  const [negation, sign, truncate] = [original('negation'), original('sign'), original('truncate')];
  const [power, powm, lcm] = [original('power'), original('powm'), original('lcm')];
  const [complement, fraction] = [original('complement'), original('fraction')];
  const view = () => new DataView(memory.buffer);
  const typeOf = (place: number) => view().getInt32(place, true);

  let room = 0;
  /** The place of the nth number of our own; it is the integer. */
  const own = (nth: number, integer = 0) => {
    room ||= module()._malloc(4 * ROOM);
    const place = room + nth * ROOM;
    new Uint8Array(memory.buffer, place, ROOM).fill(0);
    view().setBigInt64(place + VALUE, BigInt(integer), true);
    return place;
  };

  const copied = (from: number, to: number) => {
    new Uint8Array(memory.buffer).copyWithin(to, from, from + SIZE);
    return to;
  };
  /** A small integer as a large one: of a small one C takes 32 bits only. */
  const wide = (x: number) => {
    const [far, moved, same] = [own(2), own(3), own(1)];
    shift(own(0, 1), own(1, 64), far);
    sum(copied(x, own(0)), far, moved);
    difference(moved, far, same);
    return same;
  };

  const replace = (name: keyof typeof AT, operands: number, function_: Function) =>
    table.set(AT[name], guard(memory, operands, original(name), function_));

  replace('complement', 1, (x, result) =>
    typeOf(x!) === BIG ? difference(own(0, -1), x!, result!) : complement(x!, result!),
  );
  replace('lcm', 2, (x, y, result) => {
    const done = lcm(x!, y!, result!);
    if (done && typeOf(result!) === BIG) view().setInt32(result! + SIGN, 0, true);
    return done;
  });
  replace('fraction', 1, (x, result) => {
    if (typeOf(x!) !== RATIONAL) return fraction(x!, result!);
    const whole = own(0);
    return truncate(x!, whole) && difference(x!, whole, result!);
  });
  replace('power', 2, (x, y, result) => {
    const isNegative = own(0);
    if (typeOf(y!) !== RATIONAL || typeOf(x!) === FLOAT || !sign(y!, isNegative)) return power(x!, y!, result!);
    const inverts = view().getBigInt64(isNegative + VALUE, true) < 0n;
    // C changes the base.
    const base = typeOf(x!) === 0 ? wide(x!) : copied(x!, own(1));
    if (!inverts) return power(base, y!, result!);
    const [exponent, root] = [own(2), own(3)];
    if (!negation(y!, exponent) || !power(base, exponent, root)) return 0;
    return typeOf(root) === FLOAT ? quotient(own(0, 1), root, result!) : ratio(own(0, 1), root, result!);
  });
  replace('powm', 3, (x, y, z, result) => {
    const wrong = [x!, y!, z!].find((place) => typeOf(place) > BIG);
    if (wrong === undefined) return powm(x!, y!, z!, result!);
    const culprit = typeOf(wrong) === FLOAT ? floatText(view().getFloat64(wrong + VALUE, true)) : 'rational';
    return raise(module(), memory, `error(type_error(integer,${culprit}),context(system:powm/3,_))`);
  });
}

/** A float as Prolog reads it. */
const floatText = (value: number) =>
  !Number.isFinite(value) || /e/.test(String(value))
    ? String(value).replace('e+', '.0e').replace('Infinity', 'inf').replace('NaN', 'nan')
    : value.toFixed(Number.isInteger(value) ? 1 : 6);

/** Raise the error that a text stands for, as C does. */
function raise(module: SwiplModule, memory: WebAssembly.Memory, text: string): number {
  const bytes = new TextEncoder().encode(text);
  const [term, pointer] = [module._PL_new_term_refs(1), module._malloc(bytes.length + 1)];
  new Uint8Array(memory.buffer, pointer).set(bytes);
  module._PL_put_term_from_chars(term, REP_UTF8, bytes.length, pointer);
  module._free(pointer);
  return module._PL_raise_exception(term);
}

/** A function for the table: that of C if all operands are small integers, otherwise ours. */
function guard(memory: WebAssembly.Memory, operands: number, usual: Function, odd: Function): unknown {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(guardCode(operands)), { h: { memory, usual, odd } });
  return instance.exports.guard;
}

/**
 * The module of {@link guard}, in the binary format of WebAssembly:
 *
 *     (func (export "guard") (param i32 …) (result i32)
 *       (if (i32.or (i32.load (local.get 0)) …) (then (return (call $odd …)))) (call $usual …))
 */
function guardCode(operands: number): Uint8Array<ArrayBuffer> {
  const I32 = 0x7f;
  const parameters = operands + 1;
  const sized = (...bytes: number[]) => [bytes.length, ...bytes];
  const name = (text: string) => sized(...new TextEncoder().encode(text));
  const section = (id: number, ...bytes: number[]) => [id, ...sized(...bytes)];
  const imported = (field: string, ...kind: number[]) => [...name('h'), ...name(field), ...kind];
  const all = Array.from({ length: parameters }, (_, local) => [0x20, local]).flat();
  const types = Array.from({ length: operands }, (_, local) => [
    ...[0x20, local, 0x28, 2, 0],
    ...(local > 0 ? [0x72] : []),
  ]).flat();
  const body = [0, ...types, 0x04, 0x40, ...all, 0x10, 1, 0x0f, 0x0b, ...all, 0x10, 0, 0x0b];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, ...sized(...Array<number>(parameters).fill(I32)), ...sized(I32)),
    ...section(2, 3, ...imported('memory', 2, 0, 0), ...imported('usual', 0, 0), ...imported('odd', 0, 0)),
    ...section(3, ...sized(0)),
    ...section(7, 1, ...name('guard'), 0, 2),
    ...section(10, 1, ...sized(...body)),
  ]);
}
