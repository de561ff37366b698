// SPDX-License-Identifier: Apache-2.0
// Tags with a SCTE-35 message: EXT-OATCLS-SCTE35 and EXT-X-SPLICEPOINT-SCTE35 (the message alone), EXT-X-SCTE35 (ANSI/SCTE
// 35 2013 and packagers) and EXT-X-DATERANGE (RFC 8216 §4.3.2.7.1).
import { withoutUndefined } from '../invariant.ts';
import { readPayload } from '../scte35/readSection.ts';
import { breakStarts } from '../scte35/spliceActions.ts';
import { ofSeconds, readLength, readWritten, upperAttributes } from './markerAttributes.ts';
import { noStatement, otherStart, type Reading, type Statement } from './markerSignal.ts';
import { payloadDetails, spliceStatements } from './spliceStatements.ts';

export const readSpliceTag = (value: string, starts?: ReadonlySet<number>): Reading =>
  spliceStatements(readPayload(value.replace(/^"|"$/g, '')), starts);

/**
 * CUE-OUT and CUE-IN decide, unless a message states that what starts or ends is no break; without them TYPE (a
 * segmentation_type_id), and without that the message.
 */
export function readScte35(value: string, starts: ReadonlySet<number> = breakStarts): Reading {
  const attributes = upperAttributes(value);
  const payload = attributes.get('CUE') ?? attributes.get('SCTE35');
  const kind = stateOf(attributes, starts);
  if (kind === undefined) {
    if (payload !== undefined) return spliceStatements(readPayload(payload), starts);
    if (attributes.has('TYPE')) return noStatement;
    return { statements: [], warnings: ['CUE, CUE-OUT, CUE-IN or TYPE must be present'] };
  }
  const { details, isOther, programmeEnds, warnings } = payloadDetails(payload, starts);
  if (isOther) return otherOf(programmeEnds, kind !== 'in');
  const elapsed = readLength(attributes.get('ELAPSED'));
  const stated = readWritten('DURATION', attributes.get('DURATION'));
  const id = attributes.get('ID');
  const statement: Statement = {
    kind: kind === 'out' && elapsed ? 'continue' : kind,
    ...(kind === 'in' ? {} : { ...details, ...withoutUndefined({ duration: stated.length ?? details.duration }) }),
    ...withoutUndefined({ elapsed }),
    ...(id ? { id: `scte35 ${id}` } : {}),
  };
  return { statements: [statement], warnings: kind === 'in' ? [] : [...stated.warnings, ...warnings] };
}

function stateOf(
  attributes: ReadonlyMap<string, string>,
  starts: ReadonlySet<number>,
): 'out' | 'continue' | 'in' | undefined {
  const [out, end, continued] = ['CUE-OUT', 'CUE-IN', 'CUE-OUT-CONT'].map((name) =>
    attributes.get(name)?.toUpperCase(),
  );
  if (out === 'YES') return 'out';
  if (out === 'CONT' || continued === 'YES') return 'continue';
  if (end === 'YES') return 'in';
  const text = attributes.get('TYPE') ?? '';
  if (/^(out|in)$/i.test(text)) return text.toLowerCase() as 'out' | 'in';
  const type = /^(0[xX][0-9a-fA-F]{1,2}|\d{1,3})$/.test(text) ? Number(text) : -1;
  if (starts.has(type)) return 'out';
  return starts.has(type - 1) ? 'in' : undefined;
}

/**
 * The names SCTE35-OUT and SCTE35-IN decide, even if their message cannot be read: the example of RFC 8216 §8.10 itself
 * lacks a byte. Only a message that states something else than a break is believed, because some packagers write all
 * that starts as SCTE35-OUT. SCTE35-CMD means what its message states.
 */
export function readDateRange(value: string, starts?: ReadonlySet<number>): Reading {
  const attributes = upperAttributes(value);
  const [out, end, command] = ['SCTE35-OUT', 'SCTE35-IN', 'SCTE35-CMD'].map((name) => attributes.get(name));
  const id = withoutUndefined({ id: attributes.has('ID') ? `daterange ${attributes.get('ID')}` : undefined });
  const hint = withoutUndefined({ hint: attributes.get('START-DATE') });
  const length = rangeLength(attributes);
  if (out !== undefined) {
    const { details, isOther, programmeEnds, warnings } = payloadDetails(out, starts);
    if (isOther) return otherOf(programmeEnds, true);
    const isComplete = end !== undefined && length.actual !== undefined;
    const duration = length.actual ?? length.planned ?? details.duration;
    const statement: Statement = {
      kind: 'out',
      ...details,
      ...id,
      ...hint,
      ...withoutUndefined({ duration }),
      ...(isComplete ? { isComplete } : {}),
    };
    const ending: Statement[] = end !== undefined && !isComplete ? [{ kind: 'in', ...id }] : [];
    return { statements: [statement, ...ending], warnings: [...length.warnings, ...named('SCTE35-OUT', warnings)] };
  }
  if (end !== undefined) {
    const { isOther, programmeEnds, warnings } = payloadDetails(end, starts);
    if (isOther) return otherOf(programmeEnds, false);
    return { statements: [{ kind: 'in', ...id }], warnings: named('SCTE35-IN', warnings) };
  }
  if (attributes.has('SCTE35-OUT-CONT')) {
    const elapsed = withoutUndefined({ elapsed: readLength(attributes.get('ELAPSED')) });
    return { statements: [{ kind: 'continue', ...id, ...elapsed }], warnings: [] };
  }
  if (command === undefined) {
    // A later tag of the same range may add its end (RFC 8216 §4.3.2.7.1).
    const ended: Statement = { kind: 'in', isOwnEnd: true, ...id, ...withoutUndefined({ duration: length.actual }) };
    return length.actual === undefined && !attributes.has('END-DATE')
      ? noStatement
      : { statements: [ended], warnings: [] };
  }
  const { statements, warnings } = spliceStatements(readPayload(command), starts);
  // The first start contains the others.
  const outermost = statements.find(({ kind }) => kind === 'out');
  const completed = statements.map((statement): Statement => {
    if (statement.kind === 'programmeEnd') return { ...statement, ...hint };
    if (statement.kind !== 'out') return statement;
    const stated = statement === outermost ? (length.actual ?? length.planned) : undefined;
    return { ...statement, ...hint, ...withoutUndefined({ duration: stated ?? statement.duration }) };
  });
  return { statements: completed, warnings: completed.length === 0 ? warnings : [...length.warnings, ...warnings] };
}

/** What a message states that is named like the start or end of a break, and starts and ends none. */
const otherOf = (programmeEnds: readonly Statement[], isStart: boolean): Reading => ({
  statements: [...(isStart ? otherStart.statements : []), ...programmeEnds],
  warnings: [],
});

const named = (name: string, warnings: readonly string[]): string[] => warnings.map((text) => `${name}: ${text}`);

function rangeLength(attributes: ReadonlyMap<string, string>) {
  const dateOf = (name: string): number => Date.parse(attributes.get(name) ?? '');
  const [start, end] = [dateOf('START-DATE'), dateOf('END-DATE')];
  const between = end >= start ? ofSeconds((end - start) / 1000) : undefined;
  const actual = readWritten('DURATION', attributes.get('DURATION'));
  const planned = readWritten('PLANNED-DURATION', attributes.get('PLANNED-DURATION'));
  return {
    ...withoutUndefined({ actual: actual.length ?? between, planned: planned.length }),
    warnings: [...actual.warnings, ...planned.warnings],
  };
}
