/// <reference types="vite/client" />

declare module 'virtual:licences' {
  const licences: import('../scripts/licences').Licence[];
  export default licences;
}
