// SPDX-License-Identifier: Apache-2.0
// Tags with a SCTE-35 message: EXT-OATCLS-SCTE35 and EXT-X-SPLICEPOINT-SCTE35 (the message alone), EXT-X-SCTE35 (ANSI/SCTE
// 35 2013 and packagers) and EXT-X-DATERANGE (RFC 8216 §4.3.2.7.1).
import { readPayload } from '../scte35/readPayload.ts';
import { breakStarts } from '../scte35/spliceActions.ts';
import type { Flicks } from '../time/units.ts';
import { noStatement, type Reading, type Statement } from './markerSignal.ts';
import { upperAttributes } from './readCueTags.ts';
import { ofSeconds, readLength } from './readLength.ts';
import { payloadDetails, spliceStatements } from './spliceStatements.ts';

export const readSpliceTag = (value: string, starts?: ReadonlySet<number>): Reading =>
  spliceStatements(readPayload(value.replace(/^"|"$/g, '')), starts);

const optional = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });

/** CUE-OUT and CUE-IN decide; without them TYPE (a segmentation_type_id), and without that the message. */
export function readScte35(value: string, starts: ReadonlySet<number> = breakStarts): Reading {
  const attributes = upperAttributes(value);
  const payload = attributes.get('CUE') ?? attributes.get('SCTE35');
  const kind = stateOf(attributes, starts);
  if (kind === undefined) {
    if (payload === undefined) return { statements: [], warnings: ['CUE, CUE-OUT, CUE-IN or TYPE must be present'] };
    return spliceStatements(readPayload(payload), starts);
  }
  const elapsed = readLength(attributes.get('ELAPSED'));
  const duration = readLength(attributes.get('DURATION'));
  const { duration: announced, ...details } = payloadDetails(payload, starts);
  const id = attributes.get('ID');
  const statement: Statement = {
    kind: kind === 'out' && elapsed ? 'continue' : kind,
    ...(kind === 'in' ? {} : details),
    ...(kind === 'in' ? {} : optional('duration', duration ?? announced)),
    ...optional('elapsed', elapsed),
    ...(id ? { id: `scte35 ${id}` } : {}),
  };
  return { statements: [statement], warnings: [] };
}

function stateOf(
  attributes: ReadonlyMap<string, string>,
  starts: ReadonlySet<number>,
): 'out' | 'continue' | 'in' | undefined {
  const out = attributes.get('CUE-OUT')?.toUpperCase();
  if (out === 'YES') return 'out';
  if (out === 'CONT') return 'continue';
  if (attributes.get('CUE-IN')?.toUpperCase() === 'YES') return 'in';
  const text = attributes.get('TYPE') ?? '';
  if (/^(out|in)$/i.test(text)) return text.toLowerCase() as 'out' | 'in';
  const type = /^(0[xX][0-9a-fA-F]{1,2}|\d{1,3})$/.test(text) ? Number(text) : -1;
  if (starts.has(type)) return 'out';
  return starts.has(type - 1) ? 'in' : undefined;
}

/**
 * The names SCTE35-OUT and SCTE35-IN decide, even if their message cannot be read: the example of RFC 8216 §8.10 itself
 * lacks a byte. SCTE35-CMD means what its message states.
 */
export function readDateRange(value: string, starts?: ReadonlySet<number>): Reading {
  const attributes = upperAttributes(value);
  const [out, end, command] = ['SCTE35-OUT', 'SCTE35-IN', 'SCTE35-CMD'].map((name) => attributes.get(name));
  const id = optional('id', attributes.has('ID') ? `daterange ${attributes.get('ID')}` : undefined);
  const hint = optional('hint', attributes.get('START-DATE'));
  const length = rangeLength(attributes);
  if (out !== undefined) {
    const details = payloadDetails(out, starts);
    const isComplete = end !== undefined && length.actual !== undefined;
    const duration = length.actual ?? length.planned ?? details.duration;
    const statement: Statement = {
      ...{ kind: 'out', ...details, ...id, ...hint },
      ...optional('duration', duration),
      ...(isComplete ? { isComplete } : {}),
    };
    const ending: Statement[] = end !== undefined && !isComplete ? [{ kind: 'in', ...id }] : [];
    return { statements: [statement, ...ending], warnings: [] };
  }
  if (end !== undefined) return { statements: [{ kind: 'in', ...id }], warnings: [] };
  if (command === undefined) {
    // A later tag of the same range may add its end (RFC 8216 §4.3.2.7.1).
    const ended: Statement = { kind: 'in', isOwnEnd: true, ...id, ...optional('duration', length.actual) };
    return length.actual === undefined && !attributes.has('END-DATE')
      ? noStatement
      : { statements: [ended], warnings: [] };
  }
  const { statements, warnings } = spliceStatements(readPayload(command), starts);
  // The first start contains the others.
  const outermost = statements.find(({ kind }) => kind === 'out');
  const completed = statements.map((statement): Statement => {
    if (statement.kind !== 'out') return statement;
    const stated = statement === outermost ? (length.actual ?? length.planned) : undefined;
    return { ...statement, ...hint, ...optional('duration', stated ?? statement.duration) };
  });
  return { statements: completed, warnings };
}

function rangeLength(attributes: ReadonlyMap<string, string>): { actual?: Flicks; planned?: Flicks } {
  const [start, end] = ['START-DATE', 'END-DATE'].map((name) => Date.parse(attributes.get(name) ?? ''));
  const between = end! >= start! ? ofSeconds((end! - start!) / 1000) : undefined;
  return {
    ...optional('actual', readLength(attributes.get('DURATION')) ?? between),
    ...optional('planned', readLength(attributes.get('PLANNED-DURATION'))),
  };
}
