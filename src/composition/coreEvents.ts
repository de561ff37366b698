// SPDX-License-Identifier: Apache-2.0
// What happens while viewers play channels, for reports and metrics.
import type { LiveObserver } from '../http/live/playerRequest.ts';
import type { FailedEvent, MadeEvent } from '../ingest/creatives/creativeWorker.ts';
import type { RecordedBreak } from '../playback/decide/decisionRecorder.ts';
import type { AdServerSign, SentAdRequest } from '../playback/request/observeAdRequests.ts';
import type { EndedBreak } from '../playback/viewers/settledDecisions.ts';
import type { EndedSession } from '../sessions/ports.ts';
import type { BeaconFact } from '../tracking/beacons/beacon.ts';

export type CoreEvents = {
  readonly live: LiveObserver;
  readonly creatives: { readonly onMade: (event: MadeEvent) => void; readonly onFailed: (event: FailedEvent) => void };
  readonly adRequested: (request: SentAdRequest) => void;
  /** Whether an ad server works for a channel. */
  readonly adServerSeen: (sign: AdServerSign) => void;
  /** A break was decided, and the decision is stored. */
  readonly recorded: (recorded: RecordedBreak) => void;
  /** A live break that was not shown as decided. */
  readonly breakEnded: (ended: EndedBreak) => void;
  readonly sessionEnded: (session: EndedSession) => void;
  /** @param times how many there were */
  readonly beaconSent: (fact: BeaconFact, times: number) => void;
};
