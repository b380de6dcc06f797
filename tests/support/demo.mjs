// People of the demonstration, at the French pages.

/** Signs one of them in from the head of the home page. */
export async function signInAs(page, email) {
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Connexion' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Adresse e-mail').fill(email)
  await dialog.getByLabel('Mot de passe', { exact: true }).fill('palmares-demo')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}
