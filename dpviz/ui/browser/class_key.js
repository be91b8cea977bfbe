// By the default path the cookie goes to this app alone, and to none of its site's other folders.
export default function ({ data: { name, value, seconds } }) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${value}; Max-Age=${seconds}; SameSite=Strict${secure}`;
}
