// SPDX-License-Identifier: Apache-2.0
// A component that is loaded when it is shown for the first time, so that the first page does not wait for it.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from './Loading.tsx';
import { Notice } from './Notice.tsx';

/** @param isQuiet shows nothing while it is loading */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isQuiet = false,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [state, setState] = useState<'loading' | 'ready' | 'failed'>(loaded === undefined ? 'loading' : 'ready');
    useEffect(() => {
      if (state !== 'loading') return;
      let isUnmounted = false;
      load().then(
        (component) => {
          loaded = component;
          if (!isUnmounted) setState('ready');
        },
        // Midroll is unavailable, or was updated since this page was opened.
        () => isUnmounted || setState('failed'),
      );
      return () => {
        isUnmounted = true;
      };
    }, [state]);
    if (state === 'failed') return <Notice tone="warn">This part was not loaded. Reload the page.</Notice>;
    const Component = loaded;
    if (state === 'loading' || Component === undefined) return isQuiet ? null : <Loading />;
    return <Component {...props} />;
  };
}
