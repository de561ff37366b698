// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { SessionTrace } from '../../../src/http/contract/airContract.ts';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { formatDateTime } from '../logic/format/time.ts';
import { isPreviewSession, PREVIEW_PARAMETER } from '../logic/sessions/isPreviewSession.ts';

type SessionFactsProps = {
  readonly session: SessionTrace;
  /** Undefined until it is known, and for a channel that was deleted. */
  readonly channelName: string | undefined;
};

/** The id, the channel and the parameters of a session. */
export function SessionFacts({ session, channelName }: SessionFactsProps) {
  const parameters = Object.entries(session.parameters).filter(([name]) => name !== PREVIEW_PARAMETER);
  return (
    <section class="card">
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
        {session.endedAt === undefined ? null : (
          <>
            <dt>Ended</dt>
            <dd>{formatDateTime(session.endedAt)}</dd>
          </>
        )}
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
