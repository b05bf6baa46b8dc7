export default {
  accountMenu: "Account: {{name}}",
  chooseTeam: "Team",
  team: "Team",
  administration: "Administration",
  yourAccount: "Your account",
  showShortcuts: "Keyboard shortcuts",
  singleKeys: "Shortcuts of single keys",
  signOut: "Sign out",
} as const;
