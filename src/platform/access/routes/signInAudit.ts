// SPDX-License-Identifier: Apache-2.0
// Entries of the audit log for sign-ins, signing out and refused sign-ins. They contain neither codes nor tokens. A sign-in that no
// tenant can be found for is in the log of the process only.

import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { auditSource } from '../../../http/admin/handleAudited.ts';
import { networkOf, type RequestSource } from '../../../http/proxies.ts';
import { withoutUndefined } from '../../../invariant.ts';
import type { Millis } from '../../../time/units.ts';
import type { Actor, AuditedChange } from '../../audit/rules/auditEntry.ts';
import { composeEntry } from '../../audit/rules/composeEntry.ts';
import type { AuditStore } from '../../audit/rules/ports.ts';
import type { ConsoleSession } from '../rules/consoleSession.ts';
import { type Claims, claimedBy, type IdentityFault } from '../rules/identity.ts';
import type { SignIn } from '../rules/ports.ts';

/** Codes that the console explains. */
export type SignInFault = IdentityFault | 'unavailable' | 'rejected' | 'denied' | 'expired' | 'wrong-state';
/** A refused sign-in, with claims if the provider has confirmed the user. */
export type RefusedSignIn = { readonly fault: SignInFault; readonly claims?: Claims };

export type SignInAudit = ReturnType<typeof createSignInAudit>;

export type SignInAuditDeps = {
  readonly audit: Pick<AuditStore, 'record'>;
  /** The client's address; empty if its connection is closed. */
  readonly clientOf: (request: RequestSource) => string;
  readonly now: () => Millis;
  readonly log: FastifyBaseLogger;
};

export function createSignInAudit({ audit, clientOf, now, log }: SignInAuditDeps, { rules, hasTenant }: SignIn) {
  const count = createRefusalCount(now);
  const entry = (request: FastifyRequest, tenant: string, operation: string, actor: Actor, change: AuditedChange) => {
    const source = auditSource(request, clientOf(request), request.id);
    return composeEntry({ id: randomUUID(), tenant, at: now(), actor, source, operation }, change);
  };
  function ofSession(operation: string, request: FastifyRequest, session: ConsoleSession) {
    const { id, tenant, subject, email, name, scope } = session;
    const actor: Actor = { kind: 'user', id: subject, email, ...withoutUndefined({ name }) };
    return entry(request, tenant, operation, actor, { kind: 'session', id, name: email, details: { scope } });
  }

  async function record(request: FastifyRequest, { fault, claims }: RefusedSignIn): Promise<void> {
    const { tenant, subject = '', email } = claimedBy(claims, rules);
    const address = clientOf(request);
    const facts = { reason: fault, address, requestId: request.id };
    const counted = count(tenant ?? '', JSON.stringify([networkOf(address), fault, subject]));
    if (counted === undefined) return;
    if (tenant === undefined || !(await hasTenant(tenant))) return log.warn(facts, 'sign-in without a tenant refused');
    const kind = subject === '' ? 'unknown' : 'user';
    const actor: Actor = { kind, id: subject, ...withoutUndefined({ email }) };
    const { attempts, fromOthers } = counted;
    const details = { reason: fault, attempts, ...(fromOthers ? { addresses: 'several' } : {}) };
    const change = { kind: 'session', name: email, details, outcome: 'refused' } as const;
    await audit.record(entry(request, tenant, 'signIn', actor, change));
  }

  return {
    signedIn: (request: FastifyRequest, session: ConsoleSession) => ofSession('signIn', request, session),
    signedOut: (request: FastifyRequest, session: ConsoleSession) => ofSession('signOut', request, session),
    /** Never rejects: the sign-in is refused in any case. */
    recordRefusal: (request: FastifyRequest, refused: RefusedSignIn): Promise<void> =>
      record(request, refused).catch((error: unknown) =>
        log.warn({ err: error, reason: refused.fault, requestId: request.id }, 'refused sign-in not recorded'),
      ),
  };
}

// Which of many refused sign-ins are recorded. Anyone can cause them, so neither their number nor that of the addresses that they
// come from may fill the audit log: of those that are alike within an hour, the 1st, 10th, 100th and so on are recorded.

export const WINDOW_MS = 3_600_000;
/** Per tenant and hour; what comes from further sources is counted together. */
export const MAX_SOURCES = 50;
const MAX_TENANTS = 1000;
const OTHERS = 'others';

/** `attempts` counts those alike in this hour, this one included. */
type RecordedRefusal = { readonly attempts: number; readonly fromOthers: boolean };

/** @returns counts a refusal; undefined if it is not recorded. @param now in milliseconds */
export function createRefusalCount(now: () => number) {
  const windows = new LRUCache<string, { readonly since: number; readonly counts: Map<string, number> }>({
    max: MAX_TENANTS,
  });
  return (tenant: string, source: string): RecordedRefusal | undefined => {
    const at = now();
    let window = windows.get(tenant);
    if (window === undefined || at - window.since >= WINDOW_MS || at < window.since) {
      window = { since: at, counts: new Map() };
      windows.set(tenant, window);
    }
    const { counts } = window;
    const isKnown = counts.has(source) || counts.size < MAX_SOURCES;
    const key = isKnown ? source : OTHERS;
    const attempts = (counts.get(key) ?? 0) + 1;
    counts.set(key, attempts);
    return /^10*$/.test(String(attempts)) ? { attempts, fromOthers: !isKnown } : undefined;
  };
}
