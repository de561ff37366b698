// SPDX-License-Identifier: Apache-2.0
// What the API reports of a session, for pages that show one.
import type { SessionTrace } from '../../src/http/contract/airContract.ts';

export const sessionId = '0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11';

/** A stitched session without breaks, unless stated otherwise. */
export const traceOf = (more: Partial<SessionTrace>): SessionTrace => ({
  id: sessionId,
  channel: 'one',
  format: 'hls',
  openedAt: '2026-03-01T20:00:00.000Z',
  insertion: 'stitched',
  parameters: {},
  breaks: [],
  ...more,
});
