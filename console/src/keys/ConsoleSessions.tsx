// SPDX-License-Identifier: Apache-2.0
import { call } from '../api/call.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { formatDateTime } from '../format/time.ts';

const columns: readonly Column[] = [
  { label: 'User' },
  { label: 'Role' },
  { label: 'Signed in', kind: 'wide' },
  { label: 'Last seen' },
  { label: 'Actions', isHidden: true },
];

/** Users who are signed in at a provider. Nothing if there are none. */
export function ConsoleSessions() {
  const { data = [], reload } = useGet('/console-sessions', {}, POLL.slow);
  if (data.length === 0) return null;
  return (
    <section class="stack">
      <h2>Signed in</h2>
      <Table columns={columns}>
        {data.map(({ id, email, name, scope, createdAt, lastSeenAt, isCurrent }) => (
          <tr key={id}>
            <td class="name">
              <strong>{name ?? email}</strong>
              <br />
              <small>{isCurrent ? `${email} (this browser)` : email}</small>
            </td>
            <td>{scope}</td>
            <td class="wide">{formatDateTime(createdAt)}</td>
            <td>{formatDateTime(lastSeenAt)}</td>
            <td>
              <div class="actions end">
                <ConfirmButton
                  label="End"
                  title="End this session?"
                  kind="quiet"
                  requires="tenant"
                  message={`${email} has to sign in again.`}
                  act={async () => {
                    await call('DELETE', '/console-sessions/{id}', { path: { id } });
                    reload();
                  }}
                />
              </div>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
