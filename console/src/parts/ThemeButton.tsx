import { useEffect, useState } from 'preact/hooks';
import { Button } from './Button.tsx';

const NAME = 'midroll-theme';
const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
};

/** A browser that is told to keep nothing throws; then the choice lasts as long as the page. */
function tryStorage(act: (storage: Storage) => string | null | undefined): string | null | undefined {
  try {
    return act(localStorage);
  } catch {
    return undefined;
  }
}
const kept = tryStorage((storage) => storage.getItem(NAME));
if (kept === 'dark' || kept === 'light') document.documentElement.dataset.theme = kept;

/** Light or dark; what the system says until somebody chooses. */
export function ThemeButton() {
  const [dark, setDark] = useState(isDark);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setDark(isDark());
    scheme.addEventListener('change', follow);
    return () => scheme.removeEventListener('change', follow);
  }, []);
  const change = () => {
    const theme = dark ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    tryStorage((storage) => void storage.setItem(NAME, theme));
    setDark(!dark);
  };
  return (
    <Button icon="theme" onClick={change}>
      {dark ? 'Light' : 'Dark'} colours
    </Button>
  );
}
