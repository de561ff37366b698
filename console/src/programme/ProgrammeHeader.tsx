// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useRecordNames } from '../api/recordNames.ts';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Tabs } from '../components/layout/Tabs.tsx';

type ProgrammeHeaderProps = {
  readonly id: string;
  readonly current: 'week' | 'on-air' | 'as-run' | 'guide';
  readonly children?: ComponentChildren;
};

/** The title and the parts of the programme schedule of a channel. */
export function ProgrammeHeader({ id, current, children }: ProgrammeHeaderProps) {
  const name = useRecordNames('channels', [id])(id);
  const parent = `/channels/${encodeURIComponent(id)}`;
  const path = `${parent}/programme`;
  return (
    <>
      <PageHeader title="Programme schedule" parent={{ name, path: parent }}>
        {children}
      </PageHeader>
      <Tabs
        label="Programme schedule"
        tabs={[
          { name: 'Week', path, isCurrent: current === 'week' },
          { name: 'On air', path: `${path}/on-air`, isCurrent: current === 'on-air' },
          { name: 'As run', path: `${path}/as-run`, isCurrent: current === 'as-run' },
          { name: 'Guide', path: `${path}/guide`, isCurrent: current === 'guide' },
        ]}
      />
    </>
  );
}
