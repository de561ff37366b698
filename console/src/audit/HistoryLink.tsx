// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { useMe } from '../api/me.ts';
import { auditPath } from './auditFilters.ts';

type HistoryLinkProps = { readonly kind: 'channel' | 'playlist' | 'ad source'; readonly id: string };

/** A link to the changes of a record, for callers who can read the audit log of the tenant. */
export function HistoryLink({ kind, id }: HistoryLinkProps) {
  if (useMe()?.channels !== undefined) return null;
  return (
    <Link class="button" href={auditPath({ kind, id })}>
      History
    </Link>
  );
}
