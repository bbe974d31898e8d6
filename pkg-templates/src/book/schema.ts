/** Checking answers by a schema of whatever library the program uses. */
import { HornbookError } from './error.js';

/** A schema as Zod, Valibot, ArkType and others make it (https://standardschema.dev). */
export interface StandardSchema<Output = unknown> {
  /** What it checks with. */
  readonly '~standard': {
    /** Of the standard. */
    readonly version: 1;
    /** The library. */
    readonly vendor: string;
    /** Checks a value, which it may convert. */
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** What it takes and gives, for TypeScript alone. */
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a schema says of a value. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** What is wrong with a value. */
export interface SchemaIssue {
  /** A sentence. */
  readonly message: string;
  /** Where, from the outside in. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type of what a schema gives. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

/** How many issues the message has. */
const SHOWN = 5;

/**
 * The bindings of an answer as the schema gives them.
 *
 * @param which the answer, for the message
 * @throws HornbookError if they do not fit
 */
export async function fitting<T>(schema: StandardSchema<T>, bindings: unknown, which: string): Promise<T> {
  const result = await schema['~standard'].validate(bindings);
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map(({ path = [], message }) => {
    const place = path.map(segment).join('').replace(/^\./, '');
    return place === '' ? message : `${place}: ${message}`;
  });
  const more = issues.length > SHOWN ? `; and ${issues.length - SHOWN} more` : '';
  throw new HornbookError(
    'schema_mismatch',
    `${which} does not fit the schema: ${issues.slice(0, SHOWN).join('; ')}${more}`,
    undefined,
    undefined,
    { cause: result.issues },
  );
}

/** `.name`, or `[3]` of an array. */
function segment(of: PropertyKey | { readonly key: PropertyKey }): string {
  const key = typeof of === 'object' ? of.key : of;
  return typeof key === 'number' ? `[${key}]` : `.${String(key)}`;
}
