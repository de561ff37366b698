// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';

type Page = ComponentType<{ readonly tab: string | undefined }>;

/** Loads the page when it is first opened. */
export function LazyAlerts({ tab }: { readonly tab: string | undefined }) {
  const [loaded, setLoaded] = useState<{ readonly Page?: Page; readonly error?: unknown }>({});
  useEffect(() => {
    import('./AlertsPage.tsx').then(
      ({ AlertsPage }) => setLoaded({ Page: AlertsPage }),
      (error: unknown) => setLoaded({ error }),
    );
  }, []);
  const { Page, error } = loaded;
  if (Page !== undefined) return <Page tab={tab} />;
  return error === undefined ? <Loading /> : <ErrorNotice error={error} />;
}
