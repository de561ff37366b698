// The console: what an operator sees and does, all of it over the public interface.
import { render } from 'preact';
import { App } from './app.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/parts.css';
import './style/forms.css';
import './style/shell.css';

render(<App />, document.getElementById('app')!);
