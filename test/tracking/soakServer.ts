// SPDX-License-Identifier: Apache-2.0
// Midroll's live port and beacon sender in a separate process, on a clock that the parent sets. test/long/trackingSoak.long.ts
// kills it. Argument: the folder of the store. The port and the backlog are sent to the parent.
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import { createHostBreaker, createHttpBeacon } from '../../src/adapters/http/httpBeacon.ts';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { sqlBeacons } from '../../src/adapters/sql/tracking/sqlBeacons.ts';
import { sqlDeliveries } from '../../src/adapters/sql/tracking/sqlDeliveries.ts';
import { openSqlite } from '../../src/database.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import { createBeaconSender } from '../../src/tracking/beacons/sendBeacons.ts';
import { deliveredBeacons } from '../../src/tracking/beacons/writeBeacons.ts';
import { createDeliveryWriter } from '../../src/tracking/deliveries/writeDeliveries.ts';
import { airingsOf } from '../airingsOf.ts';
import { serveLive } from '../servers/liveServer.ts';
import { START, soakAiring } from './soakChannel.ts';

const sql = await openSqlite(process.argv[2]!);
const [sessions, deliveries, beacons] = [sqlSessions(sql), sqlDeliveries(sql), sqlBeacons(sql)];
const airing = soakAiring();
let clock: Millis = millis(START);
const now = () => clock;
const fail = (...what: unknown[]) => {
  console.error(...what);
  process.exitCode = 1;
};

const sendBeacon = createHttpBeacon(createEgressGuard({ allow: ['127.0.0.1'] }), { timeoutMs: 4000 });
let inFlight = 0;
const sender = createBeaconSender({
  store: beacons,
  send: (beacon) => {
    inFlight += 1;
    return sendBeacon(beacon).finally(() => {
      inFlight -= 1;
    });
  },
  breaker: createHostBreaker({ failures: 20, restMs: 50 }),
  ...{ now, random: Math.random, log: fail, onBeacon: () => undefined },
  // The clock runs about a hundred times faster than the requests, so 40 minutes are more than four of their timeouts.
  claimMs: 2_400_000,
});
const { write } = createDeliveryWriter({
  deliveries,
  breakRecord: sessions.findBreak,
  recordBeacons: ({ session, adId, at }, record, due) =>
    beacons.record(deliveredBeacons(session, record, adId, due, at)),
});
const { port } = await serveLive({
  ...{ airings: airingsOf(() => [airing]), sessions, now },
  recordDelivery: (delivery) => write([delivery]),
  ...{ late: { keep: fail }, onError: fail },
});

async function send(): Promise<void> {
  for (;;) {
    await sender.sendDue().catch(fail);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
void send();

/** The parent sends the time; the reply is the `Backlog` of test/long/trackingSoak.long.ts. */
process.on('message', async (time: number) => {
  clock = millis(time);
  const { pending, next } = await sql.db
    .selectFrom('beacons')
    .select((query) => [query.fn.countAll().as('pending'), query.fn.min('next_at').as('next')])
    .where('outcome', 'is', null)
    .executeTakeFirstOrThrow();
  process.send?.({ pending: Number(pending), next: Number(next), inFlight });
});
process.send?.({ port });
