/** The columns of tables in goals: `orders(Id, Customer)` and `orders{customer: Customer}`. */

/** The variable for a column: `customer_id` is `CustomerId`. */
export function variableOf(column: string): string {
  const words = column.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return /^\p{Lu}/u.test(name) ? name : `_${name}`;
}

/** A column is an atom. */
const atomOf = (column: string) => (/^\p{Ll}[\p{L}\p{N}_]*$/u.test(column) ? column : `'${column}'`);

/** `customer: Customer`. */
export const fieldOf = (column: string) => `${atomOf(column)}: ${variableOf(column)}`;
