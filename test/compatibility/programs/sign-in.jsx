// A page with the sign-in button of @farcaster/auth-kit. INPUT is set by its test.
import { AuthKitProvider, SignInButton, useProfile } from '@farcaster/auth-kit';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import '@farcaster/auth-kit/styles.css';

const { relay, rpcUrl, domain, siweUri } = globalThis.INPUT;
const config = { relay, rpcUrl, domain, siweUri };

const Profile = () => {
  const { isAuthenticated, profile } = useProfile();
  return <p id="profile">{isAuthenticated ? `${profile.fid} ${profile.username} ${profile.displayName}` : 'nobody'}</p>;
};

const Page = () => {
  const [method, setMethod] = useState('');
  return (
    <AuthKitProvider config={config}>
      <SignInButton onSuccess={({ authMethod }) => setMethod(authMethod)} />
      <Profile />
      <p id="method">{method}</p>
    </AuthKitProvider>
  );
};

createRoot(document.querySelector('main')).render(<Page />);
