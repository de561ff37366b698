// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { SessionTrace } from '../../../src/http/contract/airContract.ts';
import type { FoundSession } from '../../../src/http/contract/sessionContract.ts';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { formatDateTime, formatDateTimeSeconds } from '../format/time.ts';
import { isPreviewSession, PREVIEW_PARAMETER } from '../player/isPreviewSession.ts';
import { FillBar } from './FillBar.tsx';

type SessionFactsProps = {
  readonly session: SessionTrace;
  /** What the search for sessions has; undefined until it was read. */
  readonly found: FoundSession | undefined;
  /** Undefined until it is known, and for a channel that was deleted. */
  readonly channelName: string | undefined;
};

/** Who watched what, from when until when, and how much of the breaks was filled. */
export function SessionFacts({ session, found, channelName }: SessionFactsProps) {
  const parameters = Object.entries(session.parameters).filter(([name]) => name !== PREVIEW_PARAMETER);
  return (
    <section class="card session-facts">
      <dl class="facts">
        <dt>Session</dt>
        <dd>
          <code>{session.id}</code> <CopyButton text={session.id} label="Copy session ID" />
        </dd>
        <dt>Channel</dt>
        <dd>
          <Link href={`/channels/${encodeURIComponent(session.channel)}`}>{channelName || session.channel}</Link>,{' '}
          {session.format.toUpperCase()} {isPreviewSession(session) ? <Badge tone="calm">Preview</Badge> : null}
        </dd>
        <dt>Opened</dt>
        <dd>{formatDateTime(session.openedAt)}</dd>
        <dt>{session.endedAt === undefined ? 'Last seen' : 'Ended'}</dt>
        <dd>
          {session.endedAt === undefined
            ? found && formatDateTimeSeconds(found.lastSeenAt)
            : formatDateTime(session.endedAt)}
        </dd>
      </dl>
      <dl class="facts">
        <dt>Fill</dt>
        <dd>{found && <FillBar fill={found.fill} />}</dd>
        <dt>Address</dt>
        <dd>{found?.address}</dd>
        <dt>User agent</dt>
        <dd>{found?.userAgent || (found && <span class="muted">None</span>)}</dd>
        <dt>Parameters</dt>
        <dd>
          {parameters.length === 0 ? <span class="muted">None</span> : null}
          {parameters.map(([name, value]) => (
            <div key={name}>
              <code>
                {name}={value}
              </code>
            </div>
          ))}
        </dd>
      </dl>
    </section>
  );
}
