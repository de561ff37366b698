// SPDX-License-Identifier: Apache-2.0
// A session store whose health is tracked by the calls that viewers wait for.
import type { SessionStore } from '../../sessions/ports.ts';
import type { StoreHealth } from './storeHealth.ts';

export const monitoredSessions = (store: SessionStore, { track }: StoreHealth): SessionStore => ({
  ...store,
  create: (session, odometer) => track(() => store.create(session, odometer), session.id),
  find: (id) => track(() => store.find(id), id),
  decide: (state, decision, record, foldBefore, mayWaitMs) =>
    track(() => store.decide(state, decision, record, foldBefore, mayWaitMs), state.session.id),
  recorded: (sessionIds, since) => track(() => store.recorded(sessionIds, since)),
  claim: (claim) => track(() => store.claim(claim), claim.sessionId),
  takeResponse: (claim) => track(() => store.takeResponse(claim), claim.sessionId),
  recordShown: (shown) => track(() => store.recordShown(shown)),
  seen: (ids, at) => track(() => store.seen(ids, at)),
});
