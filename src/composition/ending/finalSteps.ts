// SPDX-License-Identifier: Apache-2.0
// What a serving process completes before it ends: requests, then the decisions that it is making, then what is not stored yet.
// Other nodes take over at once what it leaves: claims, channels in preparation, jobs and beacons.
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Viewers } from '../../playback/viewers/viewers.ts';
import type { Presentations } from '../../playback/vod/presentations.ts';
import type { Millis } from '../../time/units.ts';
import type { Decisions } from '../composeDecisions.ts';
import type { OnAirServices } from '../composeOnAir.ts';
import type { Tracking } from '../composeTracking.ts';
import { closeServer } from '../listening.ts';
import { closeAfterResponses } from './draining.ts';
import type { FinalStep } from './finish.ts';

export type EndingParts = {
  readonly admin: FastifyInstance;
  readonly live: Server;
  readonly decisions: Pick<Decisions, 'idle' | 'recordShown' | 'requests'>;
  readonly presentations: Presentations;
  readonly viewers: Viewers;
  readonly onAir: OnAirServices;
  readonly creatives: { stop(): Promise<void> };
  readonly tracking: Tracking;
  readonly alerts: { stop(): Promise<void> };
  readonly reader: { close(): Promise<void> };
  /** The stores of sessions. */
  readonly stores: { close(): Promise<void> };
  readonly now: () => Millis;
};

const REQUESTS_MS = 11_000;
const DECISIONS_MS = 4000;
const STORING_MS = 6000;
const CLOSING_MS = 1000;

const steps = (limitMs: number, all: Readonly<Record<string, FinalStep['run']>>): FinalStep[] =>
  Object.entries(all).map(([name, run]) => ({ name, limitMs, run }));

/** Those of one array run at once, one array after the other. */
export function finalSteps(parts: EndingParts): FinalStep[][] {
  const { admin, live, decisions, presentations, viewers, onAir, creatives, tracking, alerts, reader, stores, now } =
    parts;
  for (const server of [admin.server, live]) closeAfterResponses(server);
  return [
    steps(REQUESTS_MS, { 'requests in progress': () => Promise.all([admin.close(), closeServer(live)]) }),
    // Before claims are released: those whose request is still under way are not, so that no break is requested twice.
    steps(DECISIONS_MS, { 'deciding breaks': decisions.idle, 'deciding VoD sessions': presentations.idle }),
    steps(STORING_MS, {
      'storing when sessions were last seen': () => viewers.flushSeen(now()),
      'storing which sessions have started': () => viewers.flushStarted(now()),
      'storing which sessions requested ads': presentations.flushSeen,
      'recording breaks shown as slate': decisions.recordShown,
      'recording changes of origins': onAir.recordOriginEvents,
      'releasing claims': decisions.requests.release,
      'releasing channels in preparation': onAir.release,
      'returning creative jobs': creatives.stop,
      'storing deliveries and the outcomes of beacons': tracking.stop,
      'delivering to webhooks': alerts.stop,
      'reading ad responses': reader.close,
    }),
    steps(CLOSING_MS, { 'closing the session store': stores.close }),
  ];
}
