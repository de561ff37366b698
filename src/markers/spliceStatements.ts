// SPDX-License-Identifier: Apache-2.0
// What a SCTE-35 message states about breaks.
import { readPayload } from '../scte35/readPayload.ts';
import { spliceActions } from '../scte35/spliceActions.ts';
import type { SpliceRefusal, SpliceSection } from '../scte35/spliceSection.ts';
import type { Reading, Statement } from './markerSignal.ts';
import { lengthOfTicks } from './readLength.ts';
import { signalId } from './signalId.ts';

const kinds = { start: 'out', end: 'in', cancel: 'cancel' } as const;

/**
 * The time in the message is left out: the place of the tag or event decides. Breaks and the ads in them that start
 * together are one break.
 */
export function spliceStatements(section: SpliceSection | SpliceRefusal, starts?: ReadonlySet<number>): Reading {
  if ('refused' in section) return { statements: [], warnings: [section.refused] };
  const statements = spliceActions(section, starts).map((action): Statement => {
    const { time, duration, rank, upid } = action;
    const length = duration === undefined ? undefined : lengthOfTicks(duration);
    return {
      kind: kinds[action.action],
      id: signalId(action),
      rank,
      ...(time === undefined ? {} : { hint: `${time}` }),
      ...(length === undefined ? {} : { duration: length }),
      ...(upid === undefined ? {} : { upid }),
    };
  });
  return { statements, warnings: section.warnings };
}

/** What the payload of a tag adds to what its attributes state; nothing if it cannot be read. */
export function payloadDetails(
  text: string | undefined,
  starts?: ReadonlySet<number>,
): Pick<Statement, 'duration' | 'upid'> {
  if (text === undefined) return {};
  const start = spliceStatements(readPayload(text), starts).statements.find(({ kind }) => kind === 'out');
  const { duration, upid } = start ?? {};
  return {
    ...(duration === undefined ? {} : { duration }),
    ...(upid === undefined ? {} : { upid }),
  };
}
