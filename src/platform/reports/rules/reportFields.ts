// SPDX-License-Identifier: Apache-2.0
// The fields of reports, and how each is computed from what was measured.
/** How a field is computed from the amounts of a row. */
export type Formula =
  | { readonly kind: 'sum'; readonly of: string; readonly per: number }
  /** The sum divided by the number of report intervals in the row. */
  | { readonly kind: 'average'; readonly of: string }
  /** The maximum of all report intervals. */
  | { readonly kind: 'peak'; readonly of: string }
  /** The last value. */
  | { readonly kind: 'level'; readonly of: string }
  /** A sum divided by another; 0 if that one is 0. */
  | { readonly kind: 'ratio'; readonly of: string; readonly to: string }
  /** A sum minus another; at least 0. */
  | { readonly kind: 'difference'; readonly of: string; readonly less: string; readonly per: number }
  /** Amounts `of` with a currency at the end, in millionths for a thousand: one field for each currency. */
  | { readonly kind: 'money'; readonly of: string }
  /** A percentile of the report's histogram; 0 if it is empty. */
  | { readonly kind: 'percentile'; readonly percent: number };

type Unit =
  | 'viewers'
  | 'sessions'
  | 'minutes'
  | 'requests'
  | 'ms'
  | 'breaks'
  | 's'
  | 'ratio'
  | 'ads'
  | 'beacons'
  | 'creatives'
  | 'bytes'
  | 'objects'
  | 'currency';

export type Field = {
  readonly name: string;
  readonly unit: Unit;
  readonly description: string;
  readonly formula: Formula;
};

/** A field in a response, whose unit can be a currency. */
export type ShownField = Omit<Field, 'unit'> & { readonly unit: string };

/** The currency of an amount of a field of money (ISO 4217); undefined for other amounts. */
export function currencyIn(amount: string, { of }: Extract<Formula, { kind: 'money' }>): string | undefined {
  const currency = amount.startsWith(of) ? amount.slice(of.length) : '';
  return /^[A-Z]{3}$/.test(currency) ? currency : undefined;
}

export type Report = {
  readonly about: string;
  readonly fields: readonly Field[];
};

export const field = (name: string, unit: Unit, description: string, formula: Formula): Field => {
  return { name, unit, description, formula };
};
export const sum = (name: string, unit: Unit, description: string, of = name, per = 1) =>
  field(name, unit, description, { kind: 'sum', of, per });
export const seconds = (name: string, of: string, description: string) => sum(name, 's', description, of, 1000);
export const average = (name: string, unit: Unit, description: string, of = name) =>
  field(name, unit, description, { kind: 'average', of });
export const level = (name: string, unit: Unit, description: string) =>
  field(name, unit, description, { kind: 'level', of: name });
export const ratio = (name: string, of: string, to: string, description: string) =>
  field(name, 'ratio', description, { kind: 'ratio', of, to });
export const difference = (
  name: string,
  unit: Unit,
  [of, less]: readonly [string, string],
  description: string,
  per = 1,
) => field(name, unit, description, { kind: 'difference', of, less, per });
export const latencies = (what: string): Field[] =>
  [50, 95, 99].map((percent) => {
    const description = `${percent}th percentile of the latency of ${what}, within 2 %; 0 if there were none`;
    return field(`latencyP${percent}`, 'ms', description, { kind: 'percentile', percent });
  });

/** How requests end: sent = answered + errors + timeouts. */
export const requestOutcomes: readonly Field[] = [
  sum('answered', 'requests', 'valid responses received in time'),
  sum('empty', 'requests', 'valid responses without an ad; included in answered'),
  sum('errors', 'requests', 'connection errors, error status codes and responses that are not valid'),
  sum('timeouts', 'requests', 'requests without a response in time'),
];
